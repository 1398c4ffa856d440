// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test support: one message of each kind in which every member differs from its default.

#include <string>

#include "core/wire/messages.hpp"

namespace kernelgate::wire {

inline const std::string kOddName = "bsr \"quoted\"/8192\\bs:64/d:0.125/größe-速い\n\x01~";

inline Series sample_series() {
  return {.benchmark = kOddName,
          .samples_ns = {1.0, 2.5, 1e-300, 123456789.123456789},
          .error = "skipped",
          .counters = {{"bytes/second", 1e12}, {"~", -0.5}},
          .configuration = "wgmma/64x512x64"};
}

inline DeviceTimes sample_device_times() {
  return {.benchmark = "fill",
          .trouble = "CUPTI refused",
          .kernels = {{.kernel = "fill<int>(int*)",
                       .grid = "256,1,1",
                       .block = "128,1,1",
                       .launches = 400,
                       .per_iteration = 1.02,
                       .mean_ns = 991.5,
                       .sd_ns = 12,
                       .samples = 300}}};
}

inline Process sample_process() {
  return {.id = "p1",
          .suite = "gemm",
          .side = Side::head,
          .round = 1,
          .pair = 3,
          .attempt = 2,
          .order = 9,
          .disturbed = true,
          .disturbance = "Xid 79",
          .started_at_ms = 1795257666123,
          .wall_s = 1.5,
          .gpu_s = 0.25,
          .end = ProcessEnd::crashed,
          .exit_code = 134,
          .signal = 6,
          .text = "abort",
          .state_json = "{\"clock\":1980}",
          .series = {sample_series()},
          .device = sample_device_times()};
}

inline CheckCase sample_check() {
  return {.suite = "gemm",
          .side = Side::base,
          .name = "odd",
          .shape = "7x9",
          .passed = true,
          .bound = 1e-6,
          .max_abs_err = 0.5,
          .rel_err = 0.25,
          .first_bad = 0,
          .seed = "42",
          .error_class = "wrong_value",
          .error_value = 0.125,
          .fingerprint = "f",
          .text = "off by one"};
}

inline CaseFailure sample_failure() {
  return {.benchmark = kOddName,
          .side = Side::base,
          .verdict = Verdict::broken,
          .text = "t",
          .fingerprint = "f",
          .signal = 11};
}

inline KernelCode sample_code() {
  return {.kernel = "gemm<64>(float*)",
          .arch = "sm_90a",
          .sass_sha256 = "ab",
          .registers = 128,
          .static_shared_bytes = 1024,
          .local_bytes = 48,
          .stack_bytes = 16,
          .spill_stores = 2,
          .spill_loads = 3,
          .instructions = {{"HGMMA", 64}}};
}

inline KernelProfile sample_profile() {
  return {.benchmark = kOddName, .side = Side::head, .kernel = "gemm", .counters = {{"l2_hit", 41.5}}};
}

inline PinnedResult sample_pinned() {
  return {.benchmark = kOddName,
          .pinned = Side::base,
          .configuration = "wgmma/64x512x64",
          .pairs = 4,
          .ratio = 1.01,
          .ratio_low = 1.0,
          .ratio_high = 1.02,
          .verdict = Verdict::unchanged,
          .failure = "f"};
}

inline StoredSessions sample_sessions() {
  return {.suite = "gemm", .benchmark = kOddName, .baseline = "v1", .commit = "c", .sessions = {{1.5, 1.6}, {1.4}}};
}

inline Acknowledgement sample_acknowledgement() {
  return {.id = 3,
          .suite = "gemm",
          .benchmark = kOddName,
          .ratio = 1.05,
          .head_median_ns = 105,
          .actor = "ann",
          .reason = "needed for correctness"};
}

inline Quarantine sample_quarantine() {
  return {.id = 4, .suite = "gemm", .benchmark = kOddName, .actor = "calibration", .reason = "5 % is not detectable"};
}

inline Ceilings sample_ceilings() {
  return {.copy_bytes_s = 4e12,
          .l2_bytes_s = 7e12,
          .flops = {{"fp16", 7e14}},
          .peak_flops = {{"fp16", 9e14}},
          .peak_bytes_s = 5e12,
          .peak_clock_mhz = 1980,
          .l2_bytes = 5e7};
}

inline SuiteEvidence sample_suite() {
  return {.name = "gemm",
          .base_benchmarks = {"a"},
          .head_benchmarks = {"a", kOddName},
          .has_base = false,
          .has_head = false,
          .base_program = "b1",
          .head_program = "h1",
          .identical = true,
          .checks_ran = true,
          .checks_passed = false,
          .checks = {sample_check()},
          .failures = {sample_failure()},
          .base_code = {sample_code()},
          .head_code = {sample_code()},
          .profiles = {sample_profile()},
          .stored = {sample_sessions()},
          .pinned = {sample_pinned()},
          .clock = ClockKind::both,
          .processes = {sample_process()}};
}

inline RunEvidence sample_evidence() {
  return {.has_base = false,
          .inputs_unchanged = true,
          .base_build = BuildEnd::cached,
          .head_build = BuildEnd::failed,
          .build_text = "error:",
          .infrastructure = "disk full",
          .notices = {"base replaced"},
          .ceilings = sample_ceilings(),
          .acknowledged = {sample_acknowledgement()},
          .quarantined = {sample_quarantine()},
          .suites = {sample_suite()}};
}

inline Look sample_look() {
  return {.pairs = 2, .mean = 0.1, .se = 0.01, .degrees = 16, .used_stored = true, .verdict = Verdict::regressed};
}

inline DistributionChange sample_change() {
  return {.kind = "modes",
          .base_share = 0.1,
          .head_share = 0.4,
          .distance = 0.05,
          .p = 1e-6,
          .low_ns = 90,
          .high_ns = 120,
          .base_counts = {9, 1},
          .head_counts = {6, 4}};
}

inline DeviceComparison sample_device_comparison() {
  return {.verdict = Verdict::regressed,
          .severity = Severity::full,
          .pairs = 4,
          .looks = 1,
          .ratio = 1.144,
          .ratio_low = 1.13,
          .ratio_high = 1.16,
          .base_ns = 991,
          .head_ns = 1133,
          .reason = "slower",
          .kernels = {{.kernel = "fill",
                       .full_name = "fill<int>(int*)",
                       .grid = "256,1,1",
                       .block = "128,1,1",
                       .verdict = Verdict::regressed,
                       .base_launches = 1,
                       .head_launches = 2,
                       .base_ns = 991,
                       .head_ns = 1133,
                       .ratio = 1.144,
                       .ratio_low = 1.13,
                       .ratio_high = 1.16}}};
}

inline Comparison sample_comparison() {
  return {.suite = "gemm",
          .benchmark = kOddName,
          .verdict = Verdict::regressed,
          .severity = Severity::small,
          .reason = "r",
          .fingerprint = "f",
          .round = 1,
          .pairs = 4,
          .ratio = 1.1,
          .ratio_low = 1.05,
          .ratio_high = 1.15,
          .hl_ratio = 1.11,
          .hl_low = 1.0,
          .hl_high = 1.2,
          .cliffs_delta = 1.0,
          .mwu_p = 0.03,
          .q_value = 0.04,
          .minimum_detectable = 0.02,
          .pair_sd = 0.004,
          .base_median_ns = 100,
          .head_median_ns = 110,
          .tolerate = 0.01,
          .catch_limit = 0.03,
          .gpu_s = 2,
          .sum_squares = 0.001,
          .degrees = 3,
          .looks = {sample_look()},
          .distribution = sample_change(),
          .against = Against::stored,
          .acknowledged = "ann: needed",
          .quarantined = "calibration: 5 % is not detectable",
          .error_factor = 4,
          .code_changes = {"spills 0 -> 48"},
          .counter_changes = {"dram +4 %"},
          .roof = RoofPosition{128, 0.5, "fp16"},
          .base_configuration = "dense",
          .head_configuration = "wmma",
          .pinned = {sample_pinned()},
          .attribution = "the kernel",
          .device = sample_device_comparison(),
          .clock = ClockKind::device};
}

inline WorkloadResult sample_workload() {
  return {.suite = "gemm",
          .name = "production",
          .verdict = Verdict::improved,
          .ratio = 0.95,
          .low = 0.94,
          .high = 0.96,
          .benchmarks = 3,
          .timed = 2,
          .gains = {"a -9 %"},
          .losses = {"b +1 %"}};
}

inline RegionResult sample_region() {
  return {.suite = "gemm",
          .text = "K < 512",
          .verdict = Verdict::improved,
          .members = 4,
          .moved = 3,
          .others_moved = 1,
          .median_ratio = 0.9};
}

inline RunDecision sample_decision() {
  return {.conclusion = Conclusion::regressed,
          .reason = "r",
          .summary = "s",
          .notices = {"n"},
          .expected_false_alarms = 0.01,
          .comparisons = {sample_comparison()},
          .workloads = {sample_workload()},
          .regions = {sample_region()}};
}

}  // namespace kernelgate::wire
