// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/queue.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/units/time.hpp"
#include "core/wire/codec.hpp"
#include "platform/files/descriptor.hpp"
#include "platform/process/file_lock.hpp"

namespace kernelgate::hook {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".json";

std::vector<std::string> entries_of(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name[0] != '.' && entry.path().extension() == kSuffix) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Sorts by time; process and counter keep apart what one millisecond brings.
std::string next_name() {
  static std::atomic<unsigned> counter{0};
  char name[80];
  std::snprintf(name, sizeof name, "%015lld-%010ld-%06u.json", static_cast<long long>(to_millis(SystemClock().now())),
                static_cast<long>(::getpid()), counter++);
  return name;
}

Status failed(const std::string& what, const fs::path& path) {
  return fail(Errc::io, what + ": " + std::strerror(errno), path.string());
}

Status write_and_sync(const fs::path& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) return failed("cannot create the file", path);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failed("cannot write the file", path);
    done += static_cast<std::size_t>(count);
  }
  return ::fsync(file.get()) == 0 ? Status{} : failed("cannot write the file to disk", path);
}

void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.valid()) (void)::fsync(descriptor.get());
}

// Errors that another try cannot fix.
bool refused_for_good(const Error& error) {
  return error.code == Errc::invalid || error.code == Errc::not_found || error.code == Errc::too_large;
}

}  // namespace

Queue::Queue(const fs::path& git_folder, int entries_max)
    : folder_(git_folder / "kernelgate" / "queue"), refused_(folder_ / "refused"), entries_max_(entries_max) {}

std::vector<std::string> Queue::waiting() const { return entries_of(folder_); }
std::vector<std::string> Queue::refused() const { return entries_of(refused_); }

Result<std::string> Queue::add(const wire::Trigger& trigger) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return fail(Errc::io, "cannot make the queue: " + error.message(), folder_.string());
  if (waiting().size() >= static_cast<std::size_t>(entries_max_))
    return fail(Errc::too_many, "the local queue is full: " + std::to_string(entries_max_) + " triggers wait",
                folder_.string(), "start the server, then run 'kernelgate hook flush'");
  const std::string name = next_name();
  const fs::path temporary = folder_ / ("." + name + ".part");
  if (const Status written = write_and_sync(temporary, wire::encode(trigger)); !written) {
    fs::remove(temporary, error);
    return pass_on(written);
  }
  fs::rename(temporary, folder_ / name, error);
  if (error) return fail(Errc::io, "cannot queue: " + error.message(), folder_.string());
  sync_folder(folder_);
  return name;
}

Result<Flush> Queue::flush(Client& client) {
  Flush out;
  if (waiting().empty()) return out;
  const auto lock = FileLock::acquire(folder_ / ".lock", LockKind::exclusive);
  if (!lock) return pass_on(lock);
  const std::vector<std::string> names = waiting();
  std::size_t done = 0;
  while (done < names.size() && send(client, names[done], out)) ++done;
  out.left = names.size() - done;
  return out;
}

bool Queue::send(Client& client, const std::string& name, Flush& flush) {
  std::ifstream file(folder_ / name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Result<wire::Trigger> trigger = wire::decode<wire::Trigger>(text);
  Result<wire::TriggerReply> reply = trigger ? client.trigger(*trigger) : pass_on(trigger);
  if (!reply && !refused_for_good(reply.error())) {
    flush.away = reply.error();
    return false;
  }
  std::error_code error;
  if (reply) {
    fs::remove(folder_ / name, error);
  } else {
    fs::create_directories(refused_, error);
    fs::rename(folder_ / name, refused_ / name, error);
  }
  flush.sent.push_back({name, trigger.value_or(wire::Trigger{}), std::move(reply)});
  return true;
}

std::size_t Queue::requeue_refused() {
  std::size_t count = 0;
  std::error_code error;
  for (const std::string& name : refused()) {
    fs::rename(refused_ / name, folder_ / name, error);
    if (!error) ++count;
  }
  return count;
}

}  // namespace kernelgate::hook
