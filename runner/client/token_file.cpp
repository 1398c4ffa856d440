// SPDX-License-Identifier: Apache-2.0
#include "runner/client/token_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace kernelgate {
namespace {

constexpr std::string_view kPrefix = "kg_";
constexpr std::size_t kHexDigits = 64;

bool is_token(std::string_view text) {
  if (text.substr(0, kPrefix.size()) != kPrefix) return false;
  text.remove_prefix(kPrefix.size());
  return text.size() == kHexDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
}

struct CloseFile {
  int fd;
  ~CloseFile() { ::close(fd); }
};

}  // namespace

Result<std::string> read_token_file(const std::filesystem::path& path) {
  const std::string where = path.string();
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return fail(Errc::invalid, std::string("cannot open the token file: ") + std::strerror(errno), where,
                "make a token with 'kernelgate token create' and store it there with mode 0600");
  const CloseFile close{fd};
  struct stat facts {};
  if (::fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
    return fail(Errc::invalid, "the token file is not a plain file", where, "give the path of a file");
  if ((facts.st_mode & 077) != 0)
    return fail(Errc::invalid, "the token file can be read or written by others", where,
                "run: chmod 600 '" + where + "'");
  std::array<char, 256> buffer{};
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0) return fail(Errc::io, std::string("cannot read the token file: ") + std::strerror(errno), where);
  const std::string_view token = trimmed({buffer.data(), static_cast<std::size_t>(count)});
  if (!is_token(token))
    return fail(Errc::invalid, "the file does not hold a token", where,
                "a token is 'kg_' and 64 hex digits; make one with 'kernelgate token create'");
  return std::string(token);
}

}  // namespace kernelgate
