// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "kernels/autotune/decide.hpp"
#include "kernels/autotune/key.hpp"

namespace kernels::autotune {
namespace {

using testing::HasSubstr;

// Times of a GPU that is not there: a level for each candidate and a wave that no two candidates see alike. A level of
// zero fails when it is made ready, a negative one at its third sample.
class Table {
 public:
  explicit Table(std::vector<double> levels_us, double noise = 0.002) : levels_(std::move(levels_us)), noise_(noise) {}

  [[nodiscard]] std::vector<Candidate> candidates() const {
    std::vector<Candidate> made;
    for (std::size_t i = 0; i < levels_.size(); ++i)
      made.push_back({"variant/" + std::to_string(i), 10.0 + static_cast<double>(i)});
    return made;
  }
  [[nodiscard]] Decision decided() {
    return decide("size=1", candidates(), [this](std::size_t i) { return ready(i); });
  }
  [[nodiscard]] int prepared(std::size_t i) const { return prepared_.contains(i) ? prepared_.at(i) : 0; }

 private:
  Ready ready(std::size_t i) {
    ++prepared_[i];
    if (levels_[i] == 0) throw std::runtime_error("no kernel for this");
    return {std::fabs(levels_[i]), [this, i] {
              const int count = taken_[i]++;
              if (levels_[i] < 0 && count == 2) throw std::runtime_error("CUDA error 700");
              return std::fabs(levels_[i]) * (1 + noise_ * std::sin(1.7 * count + 2.3 * static_cast<double>(i)));
            }};
  }

  std::vector<double> levels_;
  double noise_;
  std::map<std::size_t, int> prepared_, taken_;
};

const Row& row_of(const Decision& decision, std::size_t i) { return decision.rows.at(i); }

TEST(Key, IsWordsInOrder) {
  EXPECT_EQ(Key().add("m", 8192).add("device", "NVIDIA H200").add("odd\"", "a=b\n").text(),
            "m=8192 device=NVIDIA_H200 odd_=a_b_");
  EXPECT_EQ(Key().text(), "");
}

TEST(Decide, TakesTheFastest) {
  const Decision decision = Table({120, 100, 130, 250}).decided();
  EXPECT_EQ(decision.configuration, "variant/1");
  EXPECT_NEAR(decision.us, 100, 0.5);
  EXPECT_EQ(decision.source, Source::measured);
  EXPECT_EQ(row_of(decision, 0).fate, Fate::slower);
  EXPECT_THAT(row_of(decision, 0).reason, HasSubstr("slower by 20"));
  EXPECT_EQ(row_of(decision, 3).samples, kRoundsFew);  // clearly slower: left early
}

TEST(Decide, TwoPerCentAreToldApartBeneathTheirNoise) {
  const Decision decision = Table({102, 100}, 0.02).decided();
  EXPECT_EQ(decision.configuration, "variant/1");
  EXPECT_GE(row_of(decision, 0).samples, kRoundsMin);
}

TEST(Decide, OfEqualsTheOnePredictedFasterIsTaken) {
  const Decision decision = Table({100.3, 100, 99.9}).decided();
  EXPECT_EQ(decision.configuration, "variant/0");
  EXPECT_EQ(row_of(decision, 1).fate, Fate::equal);
  EXPECT_EQ(row_of(decision, 2).fate, Fate::equal);
  EXPECT_LT(row_of(decision, 0).samples, kRoundsMax);  // equal was soon certain
}

TEST(Decide, TheChoiceIsNeverTwoPerCentSlowerThanTheBest) {
  for (int step = 0; step <= 40; ++step) {
    const double first_us = 100 + 0.1 * step;
    const Decision decision = Table({first_us, 100, 100.5}, 0.01).decided();
    const double chosen_us = decision.configuration == "variant/0" ? first_us : 100.5;
    EXPECT_LE(chosen_us, 101.5) << first_us;
  }
}

TEST(Decide, WhatFailsIsLeftOutWithItsReason) {
  const Decision decision = Table({0, -90, 100}).decided();
  EXPECT_EQ(decision.configuration, "variant/2");
  EXPECT_EQ(row_of(decision, 0).fate, Fate::failed);
  EXPECT_EQ(row_of(decision, 0).reason, "no kernel for this");
  EXPECT_EQ(row_of(decision, 1).reason, "CUDA error 700");
}

TEST(Decide, WhereTheFastestFailsLateTheNextIsTaken) {
  const Decision decision = Table({-10, -11, 500, 400}).decided();
  EXPECT_EQ(decision.configuration, "variant/3");
  EXPECT_EQ(row_of(decision, 2).fate, Fate::hopeless);
}

TEST(Decide, WhereAllFailItSaysWhy) {
  try {
    (void)Table({0, 0}).decided();
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("size=1; variant/0: no kernel for this; variant/1: no kernel for this"));
  }
  EXPECT_THROW((void)Table({}).decided(), std::runtime_error);
}

TEST(Decide, WhatIsHopelessAtFirstSightIsNotSampled) {
  const Decision decision = Table({100, 5000}).decided();
  EXPECT_EQ(row_of(decision, 1).fate, Fate::hopeless);
  EXPECT_EQ(row_of(decision, 1).samples, 1);
  EXPECT_EQ(row_of(decision, 1).median_us, 5000);
  EXPECT_THAT(row_of(decision, 1).reason, HasSubstr("50.0 times"));
}

TEST(Decide, AloneACandidateIsSampledOnce) {
  const Decision decision = Table({100}).decided();
  EXPECT_EQ(decision.configuration, "variant/0");
  EXPECT_EQ(row_of(decision, 0).samples, 1);
}

TEST(Decide, CandidatesHaveALimit) {
  Table table(std::vector<double>(kCandidatesMax + 1, 100));
  const Decision decision = table.decided();
  EXPECT_EQ(table.prepared(kCandidatesMax), 0);
  EXPECT_EQ(row_of(decision, kCandidatesMax).fate, Fate::not_tried);
  EXPECT_THAT(row_of(decision, kCandidatesMax).reason, HasSubstr("64 candidates"));
}

TEST(Text, IsATableOfWhatBecameOfEach) {
  const std::string text = to_text(Table({100, 150, 0, 900}).decided());
  EXPECT_THAT(text, HasSubstr("size=1\n"));
  EXPECT_THAT(text, HasSubstr("  variant/0                       10.00"));
  EXPECT_THAT(text, HasSubstr("  chosen\n"));
  EXPECT_THAT(text, HasSubstr("  slower by "));
  EXPECT_THAT(text, HasSubstr("  failed: no kernel for this\n"));
  EXPECT_THAT(text, HasSubstr("  9.0 times the best at first sight\n"));
}

TEST(Text, SaysWhereNothingWasMeasured) {
  const Decision remembered{
      .problem = "size=1", .configuration = "dense", .source = Source::remembered, .us = 12.5, .rows = {}};
  EXPECT_EQ(to_text(remembered), "size=1\n  dense, remembered: 12.50 us when it was chosen\n");
}

}  // namespace
}  // namespace kernels::autotune
