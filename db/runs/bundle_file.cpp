// SPDX-License-Identifier: Apache-2.0
#include "db/runs/bundle_file.hpp"

#include <zstd.h>

#include <memory>

#include "core/decision/decide.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::db {
namespace {

constexpr int kBundleLevel = 9;  // a bundle is packed once and kept: a third smaller than at zstd's default level
constexpr unsigned kMagic = 0xFD2FB528;  // of a zstd frame, little-endian

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};

Error too_large(std::string_view what, unsigned long long bytes) {
  return {Errc::too_large,
          std::string(what) + " " + std::to_string(bytes) + " bytes, " + std::to_string(limits::kBundleMax.value) +
              " at most",
          "bundle",
          {}};
}

bool is_frame(std::string_view file) {
  if (file.size() < 4) return false;
  unsigned magic = 0;
  for (int i = 3; i >= 0; --i) magic = magic << 8 | static_cast<unsigned char>(file[static_cast<std::size_t>(i)]);
  return magic == kMagic;
}

Result<std::string> unpack_text(std::string_view file) {
  if (file.size() > limits::kBundleMax.value) return tl::unexpected(too_large("it has", file.size()));
  if (!is_frame(file))
    return fail(Errc::invalid, "is no bundle: no zstd frame", "bundle", "export one with kernelgate export");
  const unsigned long long size = ZSTD_getFrameContentSize(file.data(), file.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    return fail(Errc::invalid, "is no bundle: its zstd frame does not know its size", "bundle");
  if (size > limits::kBundleMax.value) return tl::unexpected(too_large("it unpacks to", size));
  const std::size_t frame = ZSTD_findFrameCompressedSize(file.data(), file.size());
  if (ZSTD_isError(frame) || frame != file.size())
    return fail(Errc::corrupt, "is damaged or cut short", "bundle", "export it again");
  std::string text(size, '\0');
  const std::size_t got = ZSTD_decompress(text.data(), text.size(), file.data(), file.size());
  if (ZSTD_isError(got) || got != size)
    return fail(Errc::corrupt,
                std::string("is damaged: ") + (ZSTD_isError(got) ? ZSTD_getErrorName(got) : "shorter than it says"),
                "bundle", "export it again");
  return text;
}

Status check_head(std::string_view text) {
  const auto head = wire::decode<wire::BundleHead>(text);
  if (!head || head->format != wire::kBundleFormat)
    return fail(Errc::invalid, "is no bundle: its text is not one of " + std::string(wire::kBundleFormat), "bundle");
  if (head->version != wire::kBundleVersion)
    return fail(
        Errc::unsupported,
        "has form " + std::to_string(head->version) + ", this program knows " + std::to_string(wire::kBundleVersion),
        "bundle", "replay it with the program that made it");
  if (head->rule_version != kRuleVersion)
    return fail(Errc::unsupported,
                "was judged by rule version " + std::to_string(head->rule_version) + ", this program knows " +
                    std::to_string(kRuleVersion),
                "bundle", "replay it with the program that made it");
  return {};
}

}  // namespace

Result<std::string> pack_bundle(const wire::Bundle& bundle) {
  const std::string text = wire::encode(bundle);
  if (text.size() > limits::kBundleMax.value) return tl::unexpected(too_large("the bundle has", text.size()));
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context) return fail(Errc::io, "no memory to pack the bundle", "bundle");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kBundleLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string file(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), file.data(), file.size(), text.data(), text.size());
  if (ZSTD_isError(size)) return fail(Errc::io, ZSTD_getErrorName(size), "bundle");
  file.resize(size);
  return file;
}

Result<wire::Bundle> unpack_bundle(std::string_view file) {
  const auto text = unpack_text(file);
  if (!text) return pass_on(text);
  if (const Status head = check_head(*text); !head) return pass_on(head);
  auto bundle = wire::decode<wire::Bundle>(*text);
  if (!bundle) return fail(Errc::corrupt, "cannot be read: " + to_string(bundle.error()), "bundle");
  return bundle;
}

}  // namespace kernelgate::db
