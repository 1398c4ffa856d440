// SPDX-License-Identifier: Apache-2.0
// A benchmark over time.
#include "core/wire/history.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
namespace {

void append(std::string& out, std::integral auto value) { out += std::to_string(value); }

// Nine digits are far below what a clock resolves.
void append(std::string& out, double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 9);
  if (!std::isfinite(value) || error != std::errc{}) throw std::invalid_argument("/columns: not finite");
  out.append(text, end);
}

// Hashes need no escapes; whatever does goes the long way.
void append(std::string& out, const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](unsigned char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
  out += plain ? '"' + text + '"' : Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append(std::string& out, Instant value) { out += '"' + to_iso8601(value) + '"'; }

template <class Enum>
requires std::is_enum_v<Enum>
void append(std::string& out, Enum value) {
  out += '"';
  out += to_string(value);
  out += '"';
}

template <class Value>
void append_column(std::string& out, std::string_view name, const std::vector<HistoryPoint>& points,
                   Value HistoryPoint::*member) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":[";
  for (const HistoryPoint& point : points) {
    append(out, point.*member);
    out += ',';
  }
  if (out.back() == ',') out.pop_back();
  out += ']';
}

}  // namespace

template <class V, Describes<HistoryPoint> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("finished_at", m.finished_at);
  v.must("median_ns", m.median_ns, "of the medians of head's processes");
  v.may("spread_ns", m.spread_ns, "largest less smallest of them");
  v.may("processes", m.processes);
  v.must("verdict", m.verdict);
  v.may("side", m.side, "base: no run had this commit as its head, the figures are those of base");
  v.may("anchor_ratio", m.anchor_ratio, "over the anchored baseline's figure");
}

template <class V, Describes<HistoryChange> M>
void fields(V& v, M& m) {
  v.must("commit_before", m.commit_before);
  v.must("commit_after", m.commit_after);
  v.must("run_before", m.run_before);
  v.must("run_after", m.run_after);
  v.must("ratio", m.ratio);
  v.may("p", m.p);
  v.may("points_before", m.points_before);
  v.may("points_after", m.points_after);
}

template <class V, Describes<HistoryCreep> M>
void fields(V& v, M& m) {
  v.must("commit_before", m.commit_before);
  v.must("commit_after", m.commit_after);
  v.must("run_before", m.run_before);
  v.must("run_after", m.run_after);
  v.must("ratio", m.ratio, "of the whole rise or fall");
  v.must("ratio_per_commit", m.ratio_per_commit);
  v.must("commits", m.commits);
  v.may("p", m.p);
}

template <class V, Describes<HistoryAnchor> M>
void fields(V& v, M& m) {
  v.must("baseline", m.baseline);
  v.must("name", m.name);
  v.must("commit", m.commit);
  v.must("median_ns", m.median_ns);
  v.must("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.must("spread", m.spread, "where that spread is from: sessions, history, or none");
  v.may("spread_count", m.spread_count);
  v.may("text", m.text, "one sentence for people");
}

template <class V, Describes<HistoryWork> M>
void fields(V& v, M& m) {
  v.about(
      "The work of one call as the suite stated it at the newest point. flops / median_ns are GFLOP/s; roof_ns, the "
      "least time by measured rates, over median_ns is the fraction of the roof");
  v.must("flops", m.flops);
  v.must("bytes", m.bytes);
  v.may("roof_ns", m.roof_ns, "by rates measured on the GPU; none where they are not known");
  v.may("roof", m.roof, "what limits: dram, l2, or a data type's unit");
}

template <class V, Describes<BenchmarkHistory> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("branch", m.branch);
  v.must("epoch", m.epoch, "0: there is no point");
  v.may("epochs", m.epochs, "with points, the newest first");
  v.may("older_left_out", m.older_left_out, "there are more points than asked for");
  v.must("points", m.points);
  v.must("changes", m.changes);
  v.may("creep", m.creep);
  v.may("anchor", m.anchor);
  v.may("anchor_note", m.anchor_note, "why there is none although there is an anchored baseline");
  v.may("start_ns", m.start_ns);
  v.may("work", m.work, "none where the suite states no work");
}

template <class V, Describes<HistoryColumns> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("finished_at", m.finished_at);
  v.must("median_ns", m.median_ns);
  v.must("spread_ns", m.spread_ns);
  v.must("processes", m.processes);
  v.must("verdict", m.verdict);
  v.must("side", m.side);
}

template <class V, Describes<HistoryInColumns> M>
void fields(V& v, M& m) {
  v.must("history", m.history, "BenchmarkHistory without points");
  v.must("columns", m.columns, "The members of the points, oldest first; times to nine digits");
}

template <class V, Describes<SeriesPoint> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("branch", m.branch);
  v.may("epoch", m.epoch);
  v.must("finished_at", m.finished_at);
  v.must("median_ns", m.median_ns, "of the medians of head's processes");
  v.must("spread_ns", m.spread_ns, "largest less smallest of them");
  v.must("processes", m.processes);
  v.must("samples", m.samples);
  v.must("verdict", m.verdict);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
}

template <class V, Describes<SeriesPage> M>
void fields(V& v, M& m) {
  v.must("points", m.points);
  v.may("next", m.next);
}

template <class V, Describes<BenchmarkName> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("recent_ns", m.recent_ns,
        "medians of the newest points on the default branch, in their newest epoch, oldest first");
}

template <class V, Describes<BenchmarkPage> M>
void fields(V& v, M& m) {
  v.must("benchmarks", m.benchmarks);
  v.may("next", m.next, "value of `before` for the next page");
}

std::string encode_columns(BenchmarkHistory history) {
  const std::vector<HistoryPoint> points = std::exchange(history.points, {});
  std::string out = "{\"history\":" + encode(history) + ",\"columns\":{";
  append_column(out, "run", points, &HistoryPoint::run);
  append_column(out, "commit", points, &HistoryPoint::commit);
  append_column(out, "finished_at", points, &HistoryPoint::finished_at);
  append_column(out, "median_ns", points, &HistoryPoint::median_ns);
  append_column(out, "spread_ns", points, &HistoryPoint::spread_ns);
  append_column(out, "processes", points, &HistoryPoint::processes);
  append_column(out, "verdict", points, &HistoryPoint::verdict);
  append_column(out, "side", points, &HistoryPoint::side);
  return out + "}}";
}

KG_WIRE_CODEC(HistoryPoint);
KG_WIRE_CODEC(HistoryChange);
KG_WIRE_CODEC(HistoryCreep);
KG_WIRE_CODEC(HistoryAnchor);
KG_WIRE_CODEC(HistoryWork);
KG_WIRE_CODEC(BenchmarkHistory);
KG_WIRE_CODEC(BenchmarkName);
KG_WIRE_CODEC(BenchmarkPage);
KG_WIRE_CODEC(HistoryColumns);
KG_WIRE_CODEC(HistoryInColumns);
KG_WIRE_CODEC(SeriesPage);

}  // namespace kernelgate::wire
