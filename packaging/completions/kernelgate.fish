# SPDX-License-Identifier: Apache-2.0
# Completion of kernelgate for fish. The program itself knows its commands and flags; values are files.
function __kernelgate_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c kernelgate -a '(__kernelgate_complete)'
