#include "cli/completion_scripts.h"

namespace cli {
namespace {

// Bash splits words at '=' and ':' unless told otherwise; COMP_LINE up to the cursor is read anew
// by the shell's own word list, and what stands before a '=' is cut from the answers.
constexpr std::string_view kBash = R"(# bash completion for tfjob-webhook
_tfjob_webhook() {
  local current=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]:1:COMP_CWORD}") line out
  # `--flag=value` comes as three words.
  if [[ $current == "=" ]]; then
    words=("${COMP_WORDS[@]:1:COMP_CWORD-1}" "")
    current=
  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD-1]} == "=" ]]; then
    words=("${COMP_WORDS[@]:1:COMP_CWORD-2}" "$current")
  fi
  out=$("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null) || return
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :0) compopt -o default; ((${#COMPREPLY[@]})) || return ;;
      :*) ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done <<<"$out"
}
complete -F _tfjob_webhook tfjob-webhook
)";

constexpr std::string_view kZsh = R"(#compdef tfjob-webhook
# zsh completion for tfjob-webhook
_tfjob-webhook() {
  local line out
  local -a answers
  out=$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null) || return
  for line in "${(@f)out}"; do
    case $line in
      :0) _files ;;
      :*) ;;
      *) answers+=("${${line%%$'\t'*}//:/\\:}${${(M)line%$'\t'*}:+:${line#*$'\t'}}") ;;
    esac
  done
  ((${#answers})) && _describe 'tfjob-webhook' answers
}
if [[ $funcstack[1] == _tfjob-webhook ]]; then
  _tfjob-webhook "$@"
else
  compdef _tfjob-webhook tfjob-webhook
fi
)";

constexpr std::string_view kFish = R"(# fish completion for tfjob-webhook
function __tfjob_webhook_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l out ($words[1] __complete $words[2..-1] 2>/dev/null)
  for line in $out
    switch $line
      case ':0'
        __fish_complete_path (commandline -ct)
      case ':*'
      case '*'
        echo $line
    end
  end
end
complete -c tfjob-webhook -f -a '(__tfjob_webhook_complete)'
)";

}  // namespace

std::string_view completion_script(std::string_view shell) {
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  return kBash;
}

}  // namespace cli
