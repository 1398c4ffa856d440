// SPDX-License-Identifier: Apache-2.0
#include "db/store/database.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/units/limits.hpp"
#include "db/store/backup.hpp"
#include "db/store/migrations.hpp"
#include "db/store/store_file.hpp"

namespace kernelgate::db {
namespace {

// A queue that its threads empty before they end.
class TaskQueue {
 public:
  // Takes the task, or gives it back when the queue is closed.
  [[nodiscard]] std::unique_ptr<Task> push(std::unique_ptr<Task> task) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return task;
      tasks_.push_back(std::move(task));
    }
    ready_.notify_one();
    return nullptr;
  }
  // Null once the queue is closed and empty.
  [[nodiscard]] std::unique_ptr<Task> pop() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) return nullptr;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }
  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return tasks_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::unique_ptr<Task>> tasks_;
  bool closed_ = false;
};

void perform(Connection& connection, Transaction::Kind kind, Task& task) {
  try {
    Transaction transaction(connection, kind);
    if (task.run(connection)) transaction.commit();
  } catch (...) {
    task.fail_with(error_of(std::current_exception()));
  }
  task.deliver();
}

// The calling thread gets less of the processor than those that serve runners.
void step_back() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), limits::kReaderNice); }

void serve(Connection& connection, Transaction::Kind kind, TaskQueue& queue) {
  while (auto task = queue.pop()) perform(connection, kind, *task);
}

// The last state that the older program can read, whole and on the disk. One that is there is of an earlier attempt.
void keep_older(Connection& connection, const std::filesystem::path& file) {
  const auto version = outdated_version(connection);
  if (!version) return;
  const std::filesystem::path copy = file.string() + ".schema-" + std::to_string(*version);
  const auto kept = back_up(file, copy);
  if (!kept && kept.error().code != Errc::conflict) throw DbError(kept.error());
}

}  // namespace

struct Database::State {
  std::filesystem::path file;
  TaskQueue writes;
  TaskQueue reads;
  TaskQueue reserved_reads;
  bool has_reserved = false;
  std::optional<Connection> writer;  // the last to close: one that only reads cannot fold the log into the file
  std::mutex stopping;
  std::vector<std::thread> threads;
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() { stop(); }

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, const DatabaseOptions& options) {
  if (Status known = check_store_file(file); !known) return pass_on(known);
  try {
    auto state = std::make_unique<State>();
    State& shared = *state;
    shared.file = file;
    Connection writer(file, {.busy_timeout = options.busy_timeout, .max_pages = options.max_pages});
    keep_older(writer, file);
    migrate(writer);
    std::vector<Connection> readers;
    for (int i = 0; i < options.readers + options.reserved_readers; ++i) {
      readers.emplace_back(file, ConnectionOptions{.mode = OpenMode::read_only, .busy_timeout = options.busy_timeout});
    }
    shared.has_reserved = options.reserved_readers > 0;
    auto database = std::make_unique<Database>(std::move(state));
    shared.writer.emplace(std::move(writer));
    shared.threads.emplace_back([&shared] { serve(*shared.writer, Transaction::Kind::write, shared.writes); });
    int reserved = options.reserved_readers;
    for (Connection& reader : readers)
      shared.threads.emplace_back([&shared, own = std::move(reader), is_reserved = reserved-- > 0]() mutable {
        if (shared.has_reserved && !is_reserved) step_back();
        serve(own, Transaction::Kind::read, is_reserved ? shared.reserved_reads : shared.reads);
      });
    return database;
  } catch (...) {
    Error error = error_of(std::current_exception());
    if (error.where.empty()) error.where = file.string();
    return tl::unexpected<Error>(std::move(error));
  }
}

void Database::post(Lane lane, std::unique_ptr<Task> task) {
  TaskQueue& reads = lane == Lane::reserved && state_->has_reserved ? state_->reserved_reads : state_->reads;
  TaskQueue& queue = lane == Lane::writer ? state_->writes : reads;
  if (auto refused = queue.push(std::move(task))) {
    refused->fail_with(Error{Errc::unavailable, "the store is stopping", {}, "try again later"});
    refused->deliver();
  }
}

void Database::stop() {
  const std::lock_guard lock(state_->stopping);
  state_->writes.close();
  state_->reads.close();
  state_->reserved_reads.close();
  for (std::thread& thread : state_->threads) {
    assert(thread.get_id() != std::this_thread::get_id());
    thread.join();
  }
  state_->threads.clear();
  state_->writer.reset();
}

const std::filesystem::path& Database::file() const { return state_->file; }
std::size_t Database::queued_writes() const { return state_->writes.size(); }

}  // namespace kernelgate::db
