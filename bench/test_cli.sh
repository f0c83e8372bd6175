#!/bin/bash
# The command line of fermata-bench: what it prints, what it writes, and above all when it fails.
#   test_cli.sh <fermata-bench>
# Without a device only the part that needs none is tested, and the exit code is 77 (skipped).
set -u
program=$1
# shellcheck source=tests/cli_checks.sh
. "$(dirname "$0")/../tests/cli_checks.sh"

# One cheap row, once.
row='^chain/sentinel/'
once=(--benchmark_filter="$row" --benchmark_repetitions=1)

expect 0 '^fermata-bench [0-9]+\.[0-9]+\.[0-9]+$' 'version' --version
expect 0 '--fermata_inject_fault' 'help names our flags' --help
expect 0 '--benchmark_filter' "help names the library's flags" --help
expect 0 '^grid_barrier/monotonic/blocks:1/threads:256' 'list of the rows' --benchmark_list_tests
for name in signal/relaxed signal/release_acquire chain/sentinel chain/flagged chain/flag kernel_boundary/stream \
            kernel_boundary/graph all_gather/sentinel/floats:528/threads:256 all_gather/flagged/floats:8448/threads:1024 \
            all_gather/write_cooperative_read/floats:4224/threads:512 all_gather/write_monotonic_read/floats:2112/threads:256; do
  expect 0 "^$name(/|$)" "the list has $name" --benchmark_list_tests
done
expect 2 'unrecognized.*--no_such_flag' 'unknown flag' --no_such_flag
expect 2 'unrecognized.*--fermata_devise' 'misspelt flag' --fermata_devise=0
expect 2 'not a regular expression' 'broken regular expression' '--fermata_inject_fault=('
expect 2 'wants a number' 'device that is not a number' --fermata_device=first
expect 1 'cannot write to --benchmark_out' 'output in a folder that is not there' "${once[@]}" --benchmark_out="$work/none/out.json"

"$program" "${once[@]}" >"$work/out" 2>"$work/err"
code=$?
if [ "$code" -ne 0 ] && grep -qE 'no .*device' "$work/err"; then
  echo "ok: no device: exit code $code, and the message: $(tail -n 1 "$work/err")"
  echo "SKIPPED: the rest needs a device"
  finish 77
fi
check "$code" 0 '^chain/sentinel +[0-9.]+ .*ok$' 'a row runs and is checked'
for key in vendor device arch wave_size multiprocessors driver compiler git_revision fermata_version backend; do
  check "$code" 0 "^$key +[^ ]" "the context has $key"
done
check "$code" 0 '^Headline' 'the headline is there'
check "$code" 0 'sentinel, one hop of a chain +[0-9.]+ us' 'the headline has the row that ran'
check "$code" 0 'grid barrier, best algorithm +not run' 'the headline has no row that did not run'
check "$code" 0 'Published elsewhere' 'published figures stand apart'

expect 1 'no device 1000|device 1000 asked for' 'device that does not exist' "${once[@]}" --fermata_device=1000
expect 2 'no row matches' 'filter that matches nothing' --benchmark_filter=no_such_row
expect 1 'could not write all of --benchmark_out' 'output to a full device' "${once[@]}" --benchmark_out=/dev/full
"$program" "${once[@]}" >/dev/full 2>"$work/err"
check $? 1 'could not write to the standard output' 'standard output is full'

# Every family of rows finds a corrupted datum, voids the row and fails the run.
for family in grid_barrier/monotonic/blocks:1/ grid_barrier/central_generation/blocks:1/ grid_barrier/cooperative/blocks:1/ \
              signal/relaxed signal/release_acquire chain/sentinel chain/flagged chain/flag/ \
              grid_barrier/striped/blocks:1/ grid_barrier/all_to_all/blocks:1/ grid_barrier/hierarchical/blocks:1/ grid_barrier/combining/blocks:1/ \
              grid_barrier_dirty/automatic/ grid_barrier_skewed/automatic/ grid_barrier_wide/cooperative/ \
              grid_barrier_split/automatic/ contention/one_address/by_hand contention/four_keys/plain/ contention/bins:8/registers \
              all_gather/sentinel/floats:528/threads:256 all_gather/flagged/floats:528/threads:256 \
              all_gather/sense_bit/floats:528/threads:256 all_gather/automatic/floats:528/threads:256 \
              ablation/sync/all ablation/split/second_wave/ \
              all_gather/write_monotonic_read/floats:528/threads:256 all_gather/write_central_generation_read/floats:528/threads:256 \
              all_gather/write_cooperative_read/floats:528/threads:256 kernel_boundary/stream kernel_boundary/graph; do
  expect 1 'VOID: wrong data' "a wrong value voids $family" --benchmark_filter="^$family" --benchmark_repetitions=2 \
    --fermata_inject_fault=.
done
# Errors are not lost when only aggregates are shown, and other rows stand.
expect 1 'row\(s\) are void' 'a voided row among aggregates' --benchmark_filter='^chain/(sentinel|flag)/' --benchmark_repetitions=2 \
  --benchmark_report_aggregates_only=true --fermata_inject_fault=flag
check 1 1 '^chain/sentinel +[0-9.]+ .*ok$' 'the row beside it stands'

expect 0 '' 'JSON output' --benchmark_filter="$row|^signal/relaxed" --benchmark_repetitions=3 --benchmark_out="$work/out.json"
if command -v python3 >/dev/null; then
  python3 - "$work/out.json" >"$work/out" 2>"$work/err" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
for key in ("vendor", "device", "arch", "wave_size", "multiprocessors", "driver", "compiler", "git_revision", "backend"):
    assert key in run["context"], key
    assert run["context"][key], key
assert int(run["context"]["iterations_per_sample"]) >= 1000
medians = {b["run_name"].split("/iterations:")[0]: b for b in run["benchmarks"] if b.get("aggregate_name") == "median"}
assert set(medians) == {"chain/sentinel", "signal/relaxed"}, set(medians)
for b in medians.values():
    assert b["time_unit"] == "us" and b["real_time"] > 0 and b["event_us"] > 0, b
    # The kernel's own clock and the events around it tell the same story: the unit is right.
    assert 0.02 < b["real_time"] / b["event_us"] < 50, b
PY
  check $? 0 '' 'the JSON file is what it should be'
  "$program" "${once[@]}" --benchmark_format=json 2>"$work/err" | python3 -m json.tool >"$work/out" 2>>"$work/err"
  check $? 0 '"chain/sentinel' 'JSON on the standard output'
else
  echo "SKIPPED: no python3 to read the JSON with"
fi
finish
