// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/system_calls.hpp"

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace kernelgate {
namespace {

constexpr std::array kForbidden = {
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsmount),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(open_by_handle_at),
};
// Refused as if the kernel were older: programs then take another way.
constexpr std::array kUnknown = {SCMP_SYS(clone3), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
                                 SCMP_SYS(io_uring_register)};
constexpr unsigned long kNamespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// 0, or the negative errno of the first rule that could not be added.
int add_rules(scmp_filter_ctx filter) {
  int error = 0;
  const auto keep = [&error](int result) {
    if (error == 0 && result != 0) error = result;
  };
  for (const int call : kForbidden) keep(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0));
  for (const int call : kUnknown) keep(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0));
  for (unsigned long flag = 1; flag <= kNamespaces; flag <<= 1)
    if ((kNamespaces & flag) != 0)
      keep(
          seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)));
  // Typing into the terminal of whoever started us.
  keep(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                        SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffU, TIOCSTI)));
  return error;
}

}  // namespace

Result<Descriptor> system_call_filter() {
  const auto failed = [](int error) {
    return fail(Errc::unsupported, std::string("cannot make the filter of system calls: ") + std::strerror(error));
  };
  const std::unique_ptr<void, void (*)(void*)> filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (!filter) return failed(ENOMEM);
  if (const int error = add_rules(filter.get()); error != 0) return failed(-error);
  Descriptor file(memfd_create("seccomp", MFD_CLOEXEC));
  if (!file.valid()) return failed(errno);
  if (const int error = seccomp_export_bpf(filter.get(), file.get()); error != 0) return failed(-error);
  if (lseek(file.get(), 0, SEEK_SET) != 0) return failed(errno);
  file.raise();
  return file;
}

}  // namespace kernelgate
