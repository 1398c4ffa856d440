// SPDX-License-Identifier: Apache-2.0
// /repositories: what is watched, and the manifests registered for it.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/manifest/manifest.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "core/units/repository_url.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/http/target.hpp"
#include "service/accounts/repositories.hpp"
#include "service/runs/submit.hpp"

namespace kernelgate::api {
namespace {

constexpr std::string_view kUrlStarts[] = {"/", "file:///", "https://", "ssh://"};

// A name stands in paths, on pages and in file names.
Status check_name(const std::string& name) {
  const bool plain = name.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789._-/") == std::string::npos;
  const bool dots = name.find("..") != std::string::npos || (!name.empty() && name.front() == '.');
  if (name.empty() || name.size() > limits::kNameMax || !plain || dots || name.front() == '-')
    return fail(Errc::invalid, "not a repository name: '" + name.substr(0, limits::kNameMax) + "'", "/name",
                "1 to 100 letters, digits, '.', '_', '-' or '/'; no '..', no '.' or '-' in front");
  return {};
}

// What every runner will fetch from; see platform/git/url.cpp. git takes a leading dash as an option, and "ext::" runs
// a program.
Status check_url(const std::string& url) {
  const bool control = std::any_of(url.begin(), url.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  const bool scheme = std::any_of(std::begin(kUrlStarts), std::end(kUrlStarts),
                                  [&](std::string_view start) { return url.compare(0, start.size(), start) == 0; });
  const auto colon = url.find(':');
  const bool at_host = colon != std::string::npos && url.find('@') < colon && url.find('/') > colon;
  if (url.size() > limits::kUrlMax || control || url.find("::") != std::string::npos || !(scheme || at_host) ||
      url.front() == '-' || url.find("://-") != std::string::npos)
    return fail(Errc::invalid, "not a URL or path that a runner fetches from", "/url",
                "https://…, ssh://…, user@host:path, file:///… or an absolute path");
  return {};
}

Status check_manifest(const std::string& text) {
  if (text.empty()) return {};
  if (text.size() > limits::kManifestMax.value)
    return fail(Errc::too_large, "the manifest is over 256 KiB", "/manifest", "shorten the manifest");
  const auto manifest = parse_manifest(text, std::string(kManifestName));
  if (!manifest) return pass_on(manifest);
  return {};
}

Status check_full_name(const std::string& name) {
  if (name.empty() || is_full_name(name)) return {};
  return fail(Errc::invalid, "not a repository's full name", "/full_name", "owner/name as its forge calls it");
}

wire::Repository to_wire(const service::Repository& repository) {
  return wire::Repository{.id = repository.id.value,
                          .name = repository.name,
                          .url = repository.url,
                          .default_branch = repository.default_branch,
                          .manifest_sha256 = repository.manifest.empty() ? "" : sha256_hex(repository.manifest),
                          .full_name = repository.full_name};
}

}  // namespace

Result<http::Answer> post_repository(Context& context, const http::Request& request) {
  auto wanted = wire::decode<wire::RepositoryRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  if (wanted->default_branch.empty()) wanted->default_branch = "main";
  for (const Status& status :
       {check_name(wanted->name), check_url(wanted->url), check_manifest(wanted->manifest),
        check_full_name(wanted->full_name), service::check_ref(wanted->default_branch, "/default_branch")})
    if (!status) return pass_on(status);
  const service::NewRepository repository{.name = std::move(wanted->name),
                                          .url = std::move(wanted->url),
                                          .default_branch = std::move(wanted->default_branch),
                                          .manifest = std::move(wanted->manifest),
                                          .full_name = std::move(wanted->full_name)};
  const auto added = service::add_repository(context.store, repository, request.identity.name, context.clock.now());
  if (!added) return pass_on(added);
  return json(201, wire::encode(to_wire(*added)));
}

Result<http::Answer> get_repositories(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto found = service::list_repositories(context.store, *page);
  if (!found) return pass_on(found);
  wire::RepositoryPage out;
  for (const service::Repository& repository : *found) out.repositories.push_back(to_wire(repository));
  out.next = next_page(*found, *page, [](const service::Repository& last) { return last.id.value; });
  return json(200, wire::encode(out));
}

Result<http::Answer> get_repository(Context& context, const http::Request& request) {
  const auto found = service::get_repository(context.store, request.parameter("name"));
  if (!found) return pass_on(found);
  return json(200, wire::encode(to_wire(*found)));
}

Result<http::Answer> put_manifest(Context& context, const http::Request& request) {
  if (const Status status = check_manifest(request.body); !status) return pass_on(status);
  const auto changed = service::set_manifest(context.store, request.parameter("name"), request.body,
                                             request.identity.name, context.clock.now());
  if (!changed) return pass_on(changed);
  return json(200, wire::encode(to_wire(*changed)));
}

Result<http::Answer> post_webhook_secret(Context& context, const http::Request& request) {
  const std::string_view name = request.parameter("name");
  const auto made = service::new_webhook_secret(context.store, name, request.identity.name, context.clock.now());
  if (!made) return pass_on(made);
  return json(201, wire::encode(
                       wire::WebhookSecret{.path = "/webhooks/github/" + http::percent_encode(name), .secret = *made}));
}

}  // namespace kernelgate::api
