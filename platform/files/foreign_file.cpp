// SPDX-License-Identifier: Apache-2.0
#include "platform/files/foreign_file.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/files/descriptor.hpp"

namespace kernelgate {

Result<std::string> read_foreign_file(const std::filesystem::path& folder, const std::filesystem::path& relative,
                                      Bytes size_max) {
  const std::string where = (folder / relative).string();
  const Descriptor root(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid())
    return fail(Errc::not_found, std::string("cannot open the folder: ") + std::strerror(errno), where);
  struct open_how how {};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;  // a pipe must not hold us
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const Descriptor file(static_cast<int>(syscall(SYS_openat2, root.get(), relative.c_str(), &how, sizeof how)));
  if (!file.valid() && (errno == EXDEV || errno == ELOOP))
    return fail(Errc::invalid, "a link in its path leads out of the folder", where);
  if (!file.valid()) return fail(Errc::not_found, std::string("cannot open it: ") + std::strerror(errno), where);
  struct stat facts {};
  if (fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return fail(Errc::invalid, "not a regular file", where);
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size > size_max.value)
    return fail(Errc::too_large, std::to_string(size) + " bytes, and " + std::to_string(size_max.value) + " at most",
                where);
  std::string out(size, '\0');
  std::size_t have = 0;
  while (have < out.size()) {
    const ssize_t count = read(file.get(), out.data() + have, out.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(Errc::io, std::string("cannot read it: ") + std::strerror(errno), where);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  out.resize(have);
  return out;
}

bool is_plain_file(const std::filesystem::path& folder, const std::filesystem::path& relative) {
  const Descriptor root(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct open_how how {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const Descriptor file(static_cast<int>(syscall(SYS_openat2, root.get(), relative.c_str(), &how, sizeof how)));
  struct stat facts {};
  return file.valid() && fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace kernelgate
