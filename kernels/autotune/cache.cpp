// SPDX-License-Identifier: Apache-2.0
#include "kernels/autotune/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

namespace kernels::autotune {
namespace {

constexpr std::size_t kReadBytesMax = 2 * kCacheBytesMax;
constexpr int kLinksMax = 40;    // as the kernel has it
constexpr double kUsMax = 1e12;  // days; what is more, or no number, was never measured

std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 3);
  return end.ec == std::errc() ? std::string(text, end.ptr) : std::string();
}

// Takes `prefix` from the front; false where the text begins otherwise.
bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string until_quote(std::string_view& text) {
  const std::size_t end = text.find('"');
  const std::string taken(text.substr(0, end));
  text.remove_prefix(end == text.npos ? text.size() : end);
  return taken;
}

// Good where writing what was read gives the same line: nothing but what this program writes is taken for its own.
std::optional<Entry> entry_of(std::string_view line) {
  Entry entry;
  std::string_view rest = line;
  if (line.size() > kLineBytesMax || !skip(rest, "{\"format\":" + std::to_string(kCacheFormat) + ",\"environment\":\""))
    return std::nullopt;
  entry.environment = until_quote(rest);
  if (!skip(rest, "\",\"problem\":\"")) return std::nullopt;
  entry.problem = until_quote(rest);
  if (!skip(rest, "\",\"configuration\":\"")) return std::nullopt;
  entry.configuration = until_quote(rest);
  if (!skip(rest, "\",\"us\":")) return std::nullopt;
  (void)std::from_chars(rest.data(), rest.data() + rest.size(), entry.us);
  if (!(entry.us >= 0 && entry.us <= kUsMax) || to_line(entry) != line) return std::nullopt;
  return entry;
}

bool of_other_format(std::string_view line) {
  int format = 0;
  if (!skip(line, "{\"format\":")) return false;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), format);
  return read.ec == std::errc() && format != kCacheFormat && line.ends_with('}') && line.size() <= kLineBytesMax;
}

struct Text {
  std::string text;
  std::string problem;  // why it cannot be read
};
Text read_text(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return {};
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) return {{}, error.message()};
  if (bytes > kReadBytesMax) return {{}, "it has " + std::to_string(bytes) + " bytes"};
  std::ifstream file(path, std::ios::binary);
  Text read{std::string(std::istreambuf_iterator<char>(file), {}), {}};
  if (!file) read.problem = std::strerror(errno);
  return read;
}

// An open file whose lock ends with it.
class Lock {
 public:
  Lock(const std::string& path, int how) : file_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    while (file_ >= 0 && ::flock(file_, how) != 0 && errno == EINTR) {
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (file_ >= 0) ::close(file_);
  }
  [[nodiscard]] bool is_open() const { return file_ >= 0; }

 private:
  int file_;
};

std::string warning_of(const std::string& path, const Contents& found) {
  const int ignored = found.corrupt + found.other_format + found.other_environment;
  if (ignored == 0) return {};
  std::string text = "tuner: " + path + ": " + std::to_string(ignored) + " of " + std::to_string(found.lines) +
                     " lines ignored, the first is line " + std::to_string(found.first_ignored) + " (";
  const char* comma = "";
  for (const auto& [count, what] :
       {std::pair{found.corrupt, "corrupt"}, std::pair{found.other_format, "of another format"},
        std::pair{found.other_environment, "of another device, driver, library or build"}})
    if (count > 0) text += std::exchange(comma, ", ") + std::to_string(count) + " " + what;
  return text + "); what they held is measured anew. Remove the file to end this warning.";
}

// What a symbolic link points to is replaced, not the link; it need not be there yet.
std::string behind_links(const std::string& path) {
  std::error_code error;
  std::filesystem::path found = path;
  for (int links = 0; links < kLinksMax && std::filesystem::is_symlink(found, error); ++links)
    found = found.parent_path() / std::filesystem::read_symlink(found, error);
  return found.string();
}

bool write_whole(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file && std::rename(fresh.c_str(), path.c_str()) == 0) return true;
  std::error_code error;
  std::filesystem::remove(fresh, error);
  return false;
}

}  // namespace

std::string to_line(const Entry& entry) {
  return "{\"format\":" + std::to_string(kCacheFormat) + ",\"environment\":\"" + entry.environment +
         "\",\"problem\":\"" + entry.problem + "\",\"configuration\":\"" + entry.configuration +
         "\",\"us\":" + number(entry.us) + "}";
}

Contents read_lines(std::string_view text, std::string_view environment) {
  Contents found;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ++found.lines;
    const std::optional<Entry> entry = entry_of(line);
    const bool mine = entry && entry->environment == environment;
    if (!mine && found.first_ignored == 0) found.first_ignored = found.lines;
    if (mine) {
      found.mine[entry->problem] = *entry;
    } else {
      ++(entry ? found.other_environment : of_other_format(line) ? found.other_format : found.corrupt);
    }
    if (entry || of_other_format(line)) found.kept.emplace_back(line);
  }
  return found;
}

Loaded load(const std::string& path, std::string_view environment) {
  Text read = read_text(path);
  if (!read.problem.empty())
    return {{}, "tuner: " + path + " is not read: " + read.problem + ". Everything is measured anew; remove the file."};
  Loaded loaded{read_lines(read.text, environment), {}};
  loaded.warning = warning_of(path, loaded.contents);
  return loaded;
}

std::string store(const std::string& given, const Entry& entry) {
  const std::string path = behind_links(given);
  const std::string line = to_line(entry);
  if (!entry_of(line)) return "tuner: a choice cannot be kept: " + line.substr(0, 200);
  const std::string not_kept = "tuner: the choice is not kept in " + path + ": ";
  std::error_code error;
  if (std::filesystem::is_symlink(path, error)) return not_kept + "its links lead in a circle. Remove one of them";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  const Lock lock(path + ".lock", LOCK_EX);
  if (!lock.is_open()) return not_kept + std::strerror(errno) + ". Set KG_TUNER_CACHE to a file that can be written";
  const Text read = read_text(path);
  const Contents found = read_lines(read.text, entry.environment);
  if (!read.problem.empty() || (found.kept.empty() && found.lines > 0))
    return not_kept + "no line of it is the tuner's. Remove the file, or set KG_TUNER_CACHE to another";
  std::string text;
  for (const std::string& old : found.kept) {
    const std::optional<Entry> other = entry_of(old);
    if (!other || other->environment != entry.environment || other->problem != entry.problem) text += old + '\n';
  }
  text += line + '\n';
  if (text.size() > kCacheBytesMax) text.erase(0, text.find('\n', text.size() - kCacheBytesMax - 1) + 1);
  return write_whole(path, text) ? std::string() : not_kept + std::strerror(errno);
}

}  // namespace kernels::autotune
