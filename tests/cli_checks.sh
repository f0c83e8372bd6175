# For the tests of a program's command line, which source this file with `program` set: runs it and compares what it did.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect <exit code> <pattern in stdout and stderr, or empty> <what> <argument>...
expect() {
  local code=$1 pattern=$2 what=$3 got=0
  shift 3
  "$program" "$@" >"$work/out" 2>"$work/err" || got=$?
  check "$got" "$code" "$pattern" "$what"
}

# check <exit code> <wanted code> <pattern> <what>, on the output of the last run
check() {
  if [ "$1" -ne "$2" ]; then
    echo "FAILED: $4: exit code $1 instead of $2"
  elif [ -n "$3" ] && ! cat "$work/out" "$work/err" | grep -qE -- "$3"; then
    echo "FAILED: $4: no line matches \"$3\""
  else
    echo "ok: $4"
    return
  fi
  sed 's/^/  | /' "$work/out" "$work/err" | head -n 40
  failures=$((failures + 1))
}

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures check(s) failed"; exit 1; }
  exit "${1:-0}"
}
