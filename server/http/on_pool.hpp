// SPDX-License-Identifier: Apache-2.0
#pragma once

// Leaves the I/O thread for the pool, does `work` there, and comes back. `work` must not throw: an exception would let
// the rest of the request run on the pool.

#include <type_traits>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kernelgate::http {

template <class Work>
boost::asio::awaitable<std::invoke_result_t<Work&>> on_pool(boost::asio::thread_pool& pool, Work work) {
  static_assert(std::is_nothrow_invocable_v<Work&>, "catch inside the work and return a value");
  auto io = co_await boost::asio::this_coro::executor;
  co_await boost::asio::post(pool, boost::asio::bind_executor(pool.get_executor(), boost::asio::use_awaitable));
  auto out = work();
  co_await boost::asio::post(io, boost::asio::bind_executor(io, boost::asio::use_awaitable));
  co_return out;
}

}  // namespace kernelgate::http
