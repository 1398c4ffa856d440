// SPDX-License-Identifier: Apache-2.0
#include "kernels/probe/ceilings_report.hpp"

#include <cstdio>

namespace kernels {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string object(const std::map<std::string, double>& rates) {
  std::string out;
  for (const auto& [name, rate] : rates) out += (out.empty() ? "\"" : ",\"") + name + "\":" + number(rate);
  return "{" + out + "}";
}

}  // namespace

std::string to_json(const CeilingsReport& report) {
  const auto sheet = bench::datasheet_of(report.device);
  std::map<std::string, double> peaks;
  if (sheet)
    for (const bench::Rate rate : bench::kRates)
      if (sheet->tflops(rate) > 0) peaks[bench::to_string(rate)] = sheet->tflops(rate) * 1e12;
  return R"({"device":")" + report.device + R"(","copy_bytes_s":)" + number(report.copy_bytes_s) + R"(,"l2_bytes_s":)" +
         number(report.l2_bytes_s) + R"(,"flops":)" + object(report.flops) + R"(,"peak_flops":)" + object(peaks) +
         R"(,"peak_bytes_s":)" + number(sheet ? sheet->copy_gb_s * 1e9 : 0) + R"(,"peak_clock_mhz":)" +
         number(sheet ? sheet->clock_mhz : 0) + R"(,"l2_bytes":)" + number(report.l2_bytes) + "}";
}

}  // namespace kernels
