// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/configurations.hpp"

#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <stdexcept>

#include "kernels/bench/device.hpp"
#include "kernels/common/built_for.hpp"
#include "kernels/common/tensor_map.hpp"
#include "kernels/scaled_gemm/cuda/kernels.hpp"
#include "kernels/scaled_gemm/stages.hpp"

namespace kernels::scaled {
namespace {

using bench::check;

constexpr int kSectionRows = 2048;  // usual height of a section
constexpr int kNarrowRows = 128;    // few rows
constexpr int kGridMax = 65535;     // of a launch's second and third dimension

struct Choice {
  const WideForm* wide = nullptr;
  const NarrowForm* narrow = nullptr;
  int section = 0;
};

std::optional<Choice> choice_of(std::string_view name) {
  for (const NarrowForm& form : narrow_forms())
    if (name == name_of(form)) return Choice{.narrow = &form};
  for (const WideForm& form : wide_forms()) {
    const std::string own = name_of(form);
    if (!name.starts_with(own)) continue;
    std::string_view rest = name.substr(own.size());
    if (rest.empty()) return Choice{.wide = &form, .section = std::max(kSectionRows / form.rows, 1)};
    if (!rest.starts_with('/')) continue;
    rest.remove_prefix(1);
    Choice choice{.wide = &form};
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), choice.section);
    if (error == std::errc() && end == rest.data() + rest.size() && choice.section >= 1) return choice;
  }
  return std::nullopt;
}

CUtensorMap map_of(CUtensorMapDataType type, const void* data, const std::array<cuuint64_t, 3>& size, int box_columns,
                   int box_rows) {
  const cuuint64_t bytes = type == CU_TENSOR_MAP_DATA_TYPE_UINT8 ? 1 : 2;
  const cuuint64_t steps[] = {size[0] * bytes, size[0] * size[1] * bytes};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows), 1};
  return tensor_map(type, data, size, steps, box);
}

cuuint64_t wide(int size) { return static_cast<cuuint64_t>(size); }

// `a_rows` of a tile's rows are loaded at once.
Arguments arguments_of(const Problem& problem, int tile_rows, int a_rows, int b_rows) {
  const Shape& shape = problem.shape;
  Arguments arguments{};
  const auto operand = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  arguments.a = map_of(operand, problem.a, {wide(shape.k), wide(shape.m), wide(shape.a_matrices())}, kDepth, a_rows);
  arguments.b = map_of(operand, problem.b, {wide(shape.k), wide(shape.n), wide(shape.matrices)}, kDepth, b_rows);
  arguments.grouping = shape.grouping;
  arguments.m = shape.m;
  arguments.n = shape.n;
  arguments.matrices = shape.matrices;
  arguments.alignment = shape.alignment;
  arguments.k_blocks = shape.k_blocks();
  arguments.n_blocks = shape.n_blocks();
  const cuuint64_t scale_size[] = {wide(shape.m), wide(shape.k_blocks()), wide(shape.a_matrices())};
  const cuuint64_t pitch = wide(shape.a_scale_pitch()) * 4, scale_steps[] = {pitch, pitch * scale_size[1]};
  const cuuint32_t scale_box[] = {static_cast<cuuint32_t>(tile_rows), 1, 1};
  arguments.a_scale_map =
      tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, problem.a_scales, scale_size, scale_steps, scale_box);
  arguments.b_scales = problem.b_scales;
  arguments.groups = shape.grouping == Grouping::masked ? problem.rows_of_group : problem.group_of_rows;
  arguments.output = problem.c;
  arguments.b_is_ready = problem.b_is_ready;
  return arguments;
}

int tiles(int size, int tile) { return (size + tile - 1) / tile; }

struct Prepared {
  Arguments arguments{};
  const void* kernel = nullptr;
  dim3 grid, block;
  int cluster = 1, shared_bytes = 0;

  [[nodiscard]] cudaLaunchAttribute cluster_size() const {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(cluster);
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    return attribute;
  }
  [[nodiscard]] cudaLaunchConfig_t shape() const {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
    return config;
  }
  void ask_for_shared_memory() const {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          "asking for shared memory");
  }
  // Not always as many as the multiprocessors would hold: a cluster's lie together.
  [[nodiscard]] int clusters_at_once() const {
    if (cluster == 1) return bench::current_device().multiprocessors;
    cudaLaunchAttribute attribute = cluster_size();
    cudaLaunchConfig_t config = shape();
    config.gridDim = dim3(static_cast<unsigned>(cluster));
    config.attrs = &attribute;
    config.numAttrs = 1;
    int count = 0;
    check(cudaOccupancyMaxActiveClusters(&count, kernel, &config), "asking how many clusters run at once");
    return std::max(count, 1);
  }

  void launch(cudaStream_t stream) {
    cudaLaunchAttribute attributes[] = {cluster_size(), {}};
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = shape();
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = 2;
    void* given[] = {&arguments};
    check(cudaLaunchKernelExC(&config, kernel, given), "launching a scaled product");
  }
};

std::shared_ptr<Prepared> prepared_wide(const Problem& problem, const WideForm& form, int section) {
  const Shape& shape = problem.shape;
  auto prepared = std::make_shared<Prepared>();
  prepared->arguments = arguments_of(problem, form.rows, form.rows / form.cluster, form.columns);
  prepared->arguments.c =
      map_of(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, problem.c, {wide(shape.n), wide(shape.m), wide(shape.a_matrices())},
             form.store_columns, kWaveRows);
  const TileOrder order{.row_tiles = tiles(shape.m, form.rows),
                        .columns = tiles(shape.n, form.columns * form.cluster),
                        .section = section};
  prepared->arguments.order = order;
  prepared->kernel = reinterpret_cast<const void*>(form.kernel);
  prepared->cluster = form.cluster;
  prepared->shared_bytes = form.shared_bytes;
  prepared->block = dim3(static_cast<unsigned>(form.threads));
  prepared->ask_for_shared_memory();
  prepared->grid = dim3(
      static_cast<unsigned>(std::min(prepared->clusters_at_once(), order.tiles() * shape.a_matrices()) * form.cluster));
  return prepared;
}

std::shared_ptr<Prepared> prepared_narrow(const Problem& problem, const NarrowForm& form) {
  const Shape& shape = problem.shape;
  auto prepared = std::make_shared<Prepared>();
  prepared->arguments = arguments_of(problem, form.rows, form.rows, form.columns);
  prepared->kernel = reinterpret_cast<const void*>(form.kernel);
  prepared->cluster = form.parts;
  prepared->shared_bytes = form.shared_bytes;
  prepared->grid = dim3(static_cast<unsigned>(tiles(shape.n, form.columns) * form.parts),
                        static_cast<unsigned>(tiles(shape.m, form.rows)), static_cast<unsigned>(shape.matrices));
  prepared->block = dim3(static_cast<unsigned>(form.threads));
  prepared->ask_for_shared_memory();
  return prepared;
}

// Rounds of blocks times the blocks of K that each goes through, and what beginning and ending cost in such blocks.
double narrow_cost(const Shape& shape, const NarrowForm& form, int multiprocessors) {
  constexpr double kEnds = 6;
  const int blocks = tiles(shape.n, form.columns) * tiles(shape.m, form.rows) * shape.matrices * form.parts;
  const double bytes = (form.columns + form.rows / 2.0) * tiles(shape.k_blocks(), form.parts);
  return tiles(blocks, multiprocessors) * (bytes + kEnds * (form.rows + form.columns) * (1 + 0.1 * form.parts));
}

}  // namespace

std::string name_of(const WideForm& form) {
  std::string name = "wide/";
  name.append(std::to_string(form.rows)).append("x").append(std::to_string(form.columns));
  name.append("x").append(std::to_string(form.cluster));
  if (!form.turns) name.append("free");
  return form.asked_stages == 0 ? name : name.append("s").append(std::to_string(form.asked_stages));
}
std::string name_of(const NarrowForm& form) {
  std::string name = "narrow/";
  name.append(std::to_string(form.rows)).append("x").append(std::to_string(form.columns));
  return name.append("x").append(std::to_string(form.parts));
}

std::string refusal(const Shape& shape, std::string_view configuration) {
  if (const char* reason = shape_refusal(shape)) return reason;
  const auto choice = choice_of(configuration);
  if (!choice) return "no such configuration: " + std::string(configuration);
  if (choice->narrow != nullptr && std::max(tiles(shape.m, choice->narrow->rows), shape.matrices) > kGridMax)
    return "narrow tiles: too many rows or matrices for one launch";
  if (shape.grouping != Grouping::contiguous) return {};
  if (choice->narrow != nullptr) return "narrow tiles do not take contiguous groups";
  return shape.alignment % choice->wide->rows == 0 ? "" : "tiles have more rows than groups are aligned to";
}

std::vector<std::string> all_configurations() {
  std::vector<std::string> names;
  for (const WideForm& form : wide_forms()) names.push_back(name_of(form));
  for (const NarrowForm& form : narrow_forms()) names.push_back(name_of(form));
  return names;
}

std::vector<std::string> configurations_for(const Shape& shape) {
  std::vector<std::string> names;
  for (std::string& name : all_configurations())
    if (refusal(shape, name).empty()) names.push_back(std::move(name));
  return names;
}

std::string usual_configuration(const Shape& shape, int multiprocessors) {
  if (shape.grouping == Grouping::contiguous) return shape.alignment == 256 ? "wide/256x128x2" : "wide/128x128x2";
  if (shape.m > kNarrowRows) return "wide/256x128x2";
  const NarrowForm* best = nullptr;
  for (const NarrowForm& form : narrow_forms()) {
    if (form.rows != (shape.m <= 64 ? 64 : 128)) continue;
    if (best == nullptr || narrow_cost(shape, form, multiprocessors) < narrow_cost(shape, *best, multiprocessors))
      best = &form;
  }
  return name_of(*best);
}

Launch prepare(const Problem& problem, std::string_view configuration) {
  if (const std::string reason = refusal(problem.shape, configuration); !reason.empty())
    throw std::runtime_error(reason);
  if (const char* reason = sm_90a_refusal()) throw std::runtime_error(reason);
  const Choice choice = *choice_of(configuration);
  const auto prepared = choice.wide != nullptr ? prepared_wide(problem, *choice.wide, choice.section)
                                               : prepared_narrow(problem, *choice.narrow);
  return [prepared](cudaStream_t stream) { prepared->launch(stream); };
}

}  // namespace kernels::scaled
