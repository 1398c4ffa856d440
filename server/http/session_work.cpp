// SPDX-License-Identifier: Apache-2.0
// Where a request's work is done: on the reserved threads, or in its turn on those that read.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/units/limits.hpp"
#include "server/http/on_pool.hpp"
#include "server/http/problem.hpp"
#include "server/http/session.hpp"

namespace kernelgate::http {

namespace asio = boost::asio;

namespace {

// Of the calling thread, once: it gets less of the processor than those that serve runners.
void step_back() {
  thread_local bool is_back = false;
  if (!is_back) (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), limits::kReaderNice);
  is_back = true;
}

// Left when its holder's coroutine ends, on the I/O thread.
class Turn {
 public:
  explicit Turn(Lane& lane) : lane_(lane) {}
  ~Turn() { lane_.leave(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Lane& lane_;
};

}  // namespace

asio::awaitable<Answer> Session::work() {
  if (engine_.app.routes[route_].reserved) {
    auto reserved_work = [this]() noexcept { return handle_now(); };
    Answer done = co_await on_pool(engine_.reserved, reserved_work);
    co_return done;
  }
  Lane::Waiter waiter(engine_.io);
  std::string peer = request_.identity.is_known() ? "" : peer_;
  const auto until = std::chrono::steady_clock::now() + engine_.config.request_deadline;
  wait_for_peer();
  waits_on_ = &waiter.wake;
  const bool granted = co_await engine_.reading.enter(waiter, std::move(peer), until);
  waits_on_ = nullptr;
  waiting_since_.reset();
  if (!granted) {
    gone_ = peer_is_gone();
    co_return problem(Error{Errc::unavailable, "the server is busy with other readers", "", "come again in a while"});
  }
  const Turn turn(engine_.reading);
  gone_ = waiter.waited && peer_is_gone();
  if (gone_) {
    ++engine_.counters.unheard;
    co_return Response{};
  }
  auto reading_work = [this]() noexcept {
    step_back();
    return handle_now();
  };
  Answer done = co_await on_pool(engine_.readers, reading_work);
  co_return done;
}

}  // namespace kernelgate::http
