// SPDX-License-Identifier: Apache-2.0
#pragma once

// A move-only piece of work for a database thread: run it in a transaction, then hand its result to
// its callback. The two steps are apart so that the callback only runs once the commit has
// succeeded.

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/units/result.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

namespace detail {
template <class T>
struct AsResult {
  using type = Result<T>;
};
template <class T>
struct AsResult<Result<T>> {
  using type = Result<T>;
};
}  // namespace detail

// Result<T> of a work that returns T or Result<T>.
template <class Work>
using WorkResult = typename detail::AsResult<std::invoke_result_t<Work&, Connection&>>::type;

class Task {
 public:
  virtual ~Task() = default;
  // Fills the result; returns whether to commit. Throws what the work throws.
  [[nodiscard]] virtual bool run(Connection& connection) = 0;
  // In place of the result: the work threw, the commit failed, or the store has stopped.
  virtual void fail_with(Error error) = 0;
  virtual void deliver() noexcept = 0;
};

template <class Work, class Done>
class WorkTask final : public Task {
 public:
  WorkTask(Work work, Done done) : work_(std::move(work)), done_(std::move(done)) {}

  [[nodiscard]] bool run(Connection& connection) override {
    using Raw = std::invoke_result_t<Work&, Connection&>;
    if constexpr (std::is_void_v<Raw>) {
      work_(connection);
      result_.emplace();
    } else {
      result_.emplace(work_(connection));
    }
    return result_->has_value();
  }
  void fail_with(Error error) override { result_.emplace(tl::unexpected<Error>(std::move(error))); }
  void deliver() noexcept override { done_(std::move(*result_)); }

 private:
  Work work_;
  Done done_;
  std::optional<WorkResult<Work>> result_;
};

template <class Work, class Done>
[[nodiscard]] std::unique_ptr<Task> make_task(Work work, Done done) {
  return std::make_unique<WorkTask<Work, Done>>(std::move(work), std::move(done));
}

// What a caught exception means to the caller of the store.
[[nodiscard]] Error error_of(const std::exception_ptr& caught);

}  // namespace kernelgate::db
