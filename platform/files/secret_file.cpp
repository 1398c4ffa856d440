// SPDX-License-Identifier: Apache-2.0
#include "platform/files/secret_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "platform/files/descriptor.hpp"

namespace kernelgate {
namespace {

std::string_view without_space(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
}

}  // namespace

Result<std::string> read_secret_file(const std::filesystem::path& path, const std::string& what,
                                     std::size_t bytes_max) {
  const std::string where = path.string();
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return fail(Errc::invalid, "cannot open the " + what + " file: " + std::strerror(errno), where,
                "store the " + what + " there with mode 0600");
  const Descriptor file(fd);
  struct stat facts {};
  if (::fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
    return fail(Errc::invalid, "the " + what + " file is not a plain file", where, "give the path of a file");
  if ((facts.st_mode & 077) != 0)
    return fail(Errc::invalid, "the " + what + " file can be read or written by others", where,
                "run: chmod 600 '" + where + "'");
  std::string text(bytes_max + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(fd, text.data() + size, text.size() - size);
    if (count < 0) return fail(Errc::io, "cannot read the " + what + ": " + std::strerror(errno), where);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > bytes_max)
    return fail(Errc::too_large, "the " + what + " file is larger than " + std::to_string(bytes_max) + " bytes", where,
                "store the " + what + " alone there");
  const std::string_view secret = without_space({text.data(), size});
  if (secret.empty()) return fail(Errc::invalid, "the " + what + " file is empty", where);
  return std::string(secret);
}

Status write_secret_file(const std::filesystem::path& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return fail(Errc::io, std::string("cannot write: ") + std::strerror(errno), path.string());
  const bool closed_to_others = ::fchmod(file.get(), 0600) == 0 && ::ftruncate(file.get(), 0) == 0;
  const bool written =
      closed_to_others && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written || ::fsync(file.get()) != 0) return fail(Errc::io, "cannot write the secret", path.string());
  return {};
}

}  // namespace kernelgate
