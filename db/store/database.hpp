// SPDX-License-Identifier: Apache-2.0
#pragma once

// The store of one server or one local run: a writer thread with the only writing connection, and a
// few reader threads with a read-only connection each; a server keeps some of those for what must not wait. Any thread
// may call, but a work may not wait for another work of the same Database. Each work is one transaction: committed when
// it returns a value, rolled back when it returns an error or throws. A callback runs on a database thread after the
// commit reached the disk; it must not throw and should hop away at once.

#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/units/result.hpp"
#include "db/store/connection.hpp"
#include "db/store/work.hpp"

namespace kernelgate::db {

struct DatabaseOptions {
  int readers = 2;
  int reserved_readers = 0;  // beside them, for read_reserved; the others then get less of the processor
  Millis busy_timeout{5000};
  std::int64_t max_pages = 0;  // over 0: the file may not grow past this many pages
};

class Database {
  struct State;

 public:
  // Creates or migrates the file; before it migrates one, it copies it to FILE.schema-NN. Errors: an edited or newer
  // schema (conflict), a file that is no store (invalid), damage (corrupt), no such folder (not_found), io.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file,
                                                              const DatabaseOptions& options = {});
  explicit Database(std::unique_ptr<State> state);  // for open()
  ~Database();                                      // stops
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // `work` takes Connection& and returns T or Result<T>; these wait and return Result<T>.
  template <class Work>
  [[nodiscard]] auto write(Work work) -> WorkResult<Work> {
    return submit_write(std::move(work)).get();
  }
  template <class Work>
  [[nodiscard]] auto read(Work work) -> WorkResult<Work> {
    return submit_read(std::move(work)).get();
  }
  // Waits for no other reading, where the store has reserved readers.
  template <class Work>
  [[nodiscard]] auto read_reserved(Work work) -> WorkResult<Work> {
    return submit(Lane::reserved, std::move(work)).get();
  }

  // The same without waiting: a future …
  template <class Work>
  [[nodiscard]] auto submit_write(Work work) -> std::future<WorkResult<Work>> {
    return submit(Lane::writer, std::move(work));
  }
  template <class Work>
  [[nodiscard]] auto submit_read(Work work) -> std::future<WorkResult<Work>> {
    return submit(Lane::reader, std::move(work));
  }

  // … or `done(Result<T>)`, called exactly once: on a database thread, or on the caller's with
  // Errc::unavailable when the store has stopped.
  template <class Work, class Done>
  void write_async(Work work, Done done) {
    post(Lane::writer, make_task<Work, Done>(std::move(work), std::move(done)));
  }
  template <class Work, class Done>
  void read_async(Work work, Done done) {
    post(Lane::reader, make_task<Work, Done>(std::move(work), std::move(done)));
  }

  // Takes no more work, does what is queued, closes the connections. Idempotent; not from a
  // database thread.
  void stop();

  [[nodiscard]] const std::filesystem::path& file() const;
  [[nodiscard]] std::size_t queued_writes() const;

 private:
  enum class Lane { writer, reader, reserved };
  template <class Work>
  [[nodiscard]] auto submit(Lane lane, Work work) -> std::future<WorkResult<Work>> {
    std::promise<WorkResult<Work>> promise;
    auto future = promise.get_future();
    auto done = [promise = std::move(promise)](WorkResult<Work> result) mutable {
      promise.set_value(std::move(result));
    };
    post(lane, make_task<Work, decltype(done)>(std::move(work), std::move(done)));
    return future;
  }
  void post(Lane lane, std::unique_ptr<Task> task);

  std::unique_ptr<State> state_;
};

}  // namespace kernelgate::db
