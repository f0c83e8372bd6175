#!/bin/bash
# What a program that links fermata::check does by itself: test_program.sh <program> <its source>
program=$1 source=$2
# shellcheck source=tests/cli_checks.sh
. "$(dirname "$0")/../cli_checks.sh"
line=$(grep -n '// here$' "$source" | cut -d: -f1)

expect 0 '' 'a clean program ends as it would' clean
expect 66 "program.cpp:$line: data-race: plain" 'a race is told, with its line, and is the exit status' racy
[ "$(grep -c data-race "$work/err")" -eq 1 ]
check $? 0 '' 'three launches tell of it once'
expect 3 'data-race' 'a program that fails by itself keeps its status' failing

for schedule in fair random pct; do
  FERMATA_HOST_SCHEDULE=$schedule FERMATA_HOST_SEED=7 expect 66 'FERMATA_HOST_SEED=7' "$schedule: the settings are told" racy
  mv "$work/err" "$work/first"
  settings=$(sed -n 's/^ *replay: //p' "$work/first" | head -1)
  for setting in $settings; do export "${setting?}"; done
  expect 66 "$settings" "$schedule: they are good for another process" racy
  unset FERMATA_HOST_SEED FERMATA_HOST_WAVE FERMATA_HOST_SCHEDULE
  cmp -s "$work/first" "$work/err"
  check $? 0 '' "$schedule: which finds the same"
done

FERMATA_CHECK_OUTPUT=$work/found.json expect 66 '' 'findings are written as JSON' racy
python3 - "$work/found.json" "$line" <<'EOF'
import json, sys
found = json.load(open(sys.argv[1]))["findings"]
assert [f["kind"] for f in found] == ["data-race"], found
assert [p["line"] for p in found[0]["places"]] == [int(sys.argv[2])] * 2, found
EOF
check $? 0 '' 'the JSON has the finding and its lines'

FERMATA_CHECK_OUTPUT=$work/found.sarif expect 66 '' 'findings are written as SARIF' racy
python3 - "$work/found.sarif" "$line" <<'EOF'
import json, sys
log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
(run,) = log["runs"]
rules = {r["id"] for r in run["tool"]["driver"]["rules"]}
(result,) = run["results"]
assert result["ruleId"] == "data-race" and result["ruleId"] in rules and result["level"] == "error", result
assert result["message"]["text"]
where = result["locations"] + result["relatedLocations"]
assert len(where) == 2
for place in (w["physicalLocation"] for w in where):
    assert place["artifactLocation"]["uri"].endswith("program.cpp") and place["region"]["startLine"] == int(sys.argv[2])
EOF
check $? 0 '' 'the SARIF has what version 2.1.0 asks for, and both lines'

FERMATA_CHECK_OUTPUT=/nowhere/found.json expect 2 'cannot be written' 'an output that cannot be written is refused' clean
FERMATA_CHECK_OUTPUT=$work/found.txt expect 2 'ends in .json or .sarif' 'an output of no known kind is refused' clean
FERMATA_HOST_SCHEDULE=pct:3:0 expect 2 'steps from 1' 'a schedule over no steps is refused' clean
FERMATA_HOST_WAVE=33 expect 2 'FERMATA_HOST_WAVE=33 is not legal' 'a setting that is not legal is refused' clean
finish
