# SPDX-License-Identifier: Apache-2.0
# Completion of kernelgate for bash. The program itself knows its commands and flags; values are files.
_kernelgate() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kernelgate kernelgate
