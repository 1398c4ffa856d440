// SPDX-License-Identifier: Apache-2.0
#pragma once

// Command lines of the manifest are shell lines: /bin/sh runs them, inside the sandbox. Our own arguments are handed
// over as positional parameters, never pasted into the text, so no benchmark name can be read as shell code.

#include <string>
#include <string_view>
#include <vector>

namespace kernelgate {

// {"/bin/sh", "-c", LINE "$@", "sh", extra…}
[[nodiscard]] std::vector<std::string> shell_argv(std::string_view line, const std::vector<std::string>& extra = {});

// One word for /bin/sh that stands for `text` literally.
[[nodiscard]] std::string shell_quote(std::string_view text);

// The same, left as it is where the shell would not change it: a path put into a line of the manifest.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace kernelgate
