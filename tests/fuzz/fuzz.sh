#!/usr/bin/env bash
# Runs every fuzz target for some seconds, as many at once as there are cores. Usage: fuzz.sh BUILD SECONDS.
# What is found lies in BUILD/findings/TARGET: mend it, and keep the file in tests/fuzz/findings/TARGET.
set -euo pipefail
build=$(realpath "$1")
seconds=$2
cd "$(dirname "${BASH_SOURCE[0]}")"

seeds=$build/seeds
/usr/bin/python3 seeds.py "$seeds"
mkdir -p "$build/logs"

run() {
  local target=$1
  local corpus=$build/corpus/$target findings=$build/findings/$target
  mkdir -p "$corpus" "$findings"
  local dictionary=()
  [[ -f dictionaries/$target.dict ]] && dictionary=("-dict=dictionaries/$target.dict")
  "$build/${target}_fuzz" "-max_total_time=$seconds" -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 \
    "-artifact_prefix=$findings/" "${dictionary[@]}" "$corpus" "$seeds/$target" >"$build/logs/$target" 2>&1
}

failed=0
summary() {
  local target=$1 status=$2
  local log=$build/logs/$target
  printf '%-14s %s after %s inputs, %s\n' "$target" "$([[ $status == 0 ]] && echo 'nothing found' || echo FOUND)" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
    "$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1)"
  if [[ $status != 0 ]]; then
    tail -n 30 "$log"
    failed=$((failed + 1))
  fi
}

targets=(review head code_list annotation configuration)
declare -A running=()
finish_one() {
  local pid status=0
  wait -n -p pid || status=$?
  summary "${running[$pid]}" "$status"
  unset "running[$pid]"
}
for target in "${targets[@]}"; do
  while ((${#running[@]} >= $(nproc))); do finish_one; done
  run "$target" &
  running[$!]=$target
done
while ((${#running[@]} > 0)); do finish_one; done
echo "$((${#targets[@]} - failed)) passed, $failed failed"
((failed == 0))
