#!/usr/bin/env bash
# clang-format, clang-tidy and shellcheck over everything. Usage: tools/lint.sh BUILD_FOLDER, which
# must be configured. Prints a line for each tool and fails if one finds something.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1

files() {
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    # Deleted, but not committed yet.
    [[ -e $file ]] && echo "$file"
  done
}

mapfile -t sources < <(files '*.h' '*.cpp')
clang-format-19 --dry-run -Werror "${sources[@]}"
echo "clang-format: ${#sources[@]} files clean"

mapfile -t scripts < <(files '*.sh' .ci/run src/cli/kubectl_complete-tfjob_policy)
shellcheck "${scripts[@]}"
echo "shellcheck: ${#scripts[@]} files clean"

# Every source is read within a unit of its target's sources (a unity build): the headers, which take
# most of the time, are read once for all of them. What is not built in this configuration (samples
# without SAMPLES_DIR) cannot be read either. The settings are those of the folders that the sources
# are in, less the rule that names such a unit's own lines.
cat >"$build/.clang-tidy" <<'SETTINGS'
InheritParentConfig: true
Checks: -bugprone-suspicious-include
SETTINGS
cp tests/.clang-tidy "$build/tests/"
mapfile -t units < <(sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' "$build/compile_commands.json")
printf '%s\n' "${units[@]}" |
  xargs --max-procs="$(nproc)" --max-args=1 clang-tidy-19 --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option 2> >(
    # "12345 warnings generated" counts those of system headers, which are not shown.
    grep -v 'warnings\? generated\.$' >&2 || true
  )
read_files=$(printf '%s\n' "${units[@]}" | xargs cat | grep -c '^#include ".*\.cpp"$')
echo "clang-tidy: $read_files files clean, in ${#units[@]} units"
