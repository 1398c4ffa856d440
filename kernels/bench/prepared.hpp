// SPDX-License-Identifier: Apache-2.0
#pragma once

// One case made ready to be timed: operands filled, warmed up, its graph built. Lives over all repetitions of its
// benchmark in a process. Not for suites: they use suite.hpp.

#include <memory>
#include <optional>
#include <vector>

#include "kernels/bench/arguments.hpp"
#include "kernels/bench/suite.hpp"

namespace kernels::bench {

// What all benchmarks of a process share.
struct Bench {
  Device device = current_device();
  Stream stream = make_stream();
  Event start = make_event(), stop = make_event();
  Gate gate;
  Clocks clocks{device.multiprocessors};
  Flush flush{device.l2_bytes};
  Configurations pinned;
};

class Prepared {
 public:
  Prepared(Bench& bench, const Case& what);

  struct Batch {
    double ms = 0;  // of the calls alone
    Clocks::Span span;
  };
  // Times one batch of `calls()` calls; the next one works on operands in another place.
  [[nodiscard]] Batch run();

  [[nodiscard]] int calls() const { return calls_; }
  [[nodiscard]] const Rotation& rotation() const { return rotation_; }
  [[nodiscard]] const Work& work() const { return sets_.front()->work; }
  [[nodiscard]] const std::optional<Errors>& errors() const { return errors_; }
  [[nodiscard]] std::size_t footprint_bytes() const { return sets_.front()->operands.bytes(); }

 private:
  struct Set {
    Operands operands;
    Work work;
  };
  struct Place {
    Graph calls, resets;
  };
  enum class Content { calls, calls_and_resets, resets };

  void add_set(const Case& what);
  void call(Set& set);
  void warm_up();
  void choose_calls();
  void build(int place);
  void refresh(int place);
  [[nodiscard]] Set& set_of(int place, int call);
  [[nodiscard]] double estimate_call_ms();
  [[nodiscard]] double time_place(int place);
  [[nodiscard]] Graph capture(int place, Content content);
  void enqueue(int place, int calls, Content content);
  [[nodiscard]] double time(const std::function<void()>& enqueue_timed);
  [[nodiscard]] double time_graph(const Graph& graph);

  Bench& bench_;
  std::vector<std::unique_ptr<Set>> sets_;  // those of the first place, of the second, …
  Rotation rotation_;
  int calls_ = 1;
  std::vector<Place> places_;  // built when their turn comes
  int next_place_ = 0;
  std::optional<Errors> errors_;
};

}  // namespace kernels::bench
