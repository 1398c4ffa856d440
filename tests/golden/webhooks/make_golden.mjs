// SPDX-License-Identifier: Apache-2.0
// Writes the payloads and signatures beside itself: real ones of GitHub, published as @octokit/webhooks-examples
// (MIT), without the links and ids that nothing reads; signed by @octokit/webhooks-methods. Run once, in a folder with
//   npm install @octokit/webhooks-examples@7.6.1 @octokit/webhooks-methods@6.0.0
//   node <this file>
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "package.json"));
const examples = require("@octokit/webhooks-examples/api.github.com/index.json");
const { sign } = await import(
  pathToFileURL(join(process.cwd(), "node_modules/@octokit/webhooks-methods/dist-node/index.js")));
const here = dirname(fileURLToPath(import.meta.url));
const secret = "It's a Secret to Everybody";

// name of the file, event, number of the example
const wanted = [
  ["push", "push", 4], ["push_tag", "push", 0], ["push_tag_deleted", "push", 1],
  ["pull_request_opened", "pull_request", 0], ["pull_request_synchronize", "pull_request", 22],
  ["pull_request_reopened", "pull_request", 18], ["pull_request_ready_for_review", "pull_request", 15],
  ["pull_request_closed", "pull_request", 3], ["pull_request_converted_to_draft", "pull_request", 5],
  ["pull_request_labeled", "pull_request", 8],
  ["check_run_rerequested", "check_run", 7], ["check_run_requested_action", "check_run", 6],
  ["check_run_created", "check_run", 0],
  ["check_suite_requested", "check_suite", 4], ["check_suite_rerequested", "check_suite", 7],
  ["installation_created", "installation", 1], ["installation_deleted", "installation", 0],
  ["installation_suspend", "installation", 5], ["installation_repositories_added", "installation_repositories", 0],
  ["installation_repositories_removed", "installation_repositories", 2],
  ["ping", "ping", 0], ["star_created", "star", 0],
];
const kept = new Set(["clone_url", "ssh_url", "html_url"]);
const dropped = new Set(["url", "node_id", "gravatar_id", "_links", "license", "permissions", "events", "config"]);

function trimmed(value, inRepository) {
  if (Array.isArray(value)) return value.map((each) => trimmed(each, false));
  if (value === null || typeof value !== "object") return value;
  const out = {};
  for (const [key, each] of Object.entries(value)) {
    const link = key.endsWith("_url") && !(inRepository && kept.has(key));
    if (!link && !dropped.has(key)) out[key] = trimmed(each, key === "repository");
  }
  return out;
}

const signatures = [];
for (const [name, event, index] of wanted) {
  const text = JSON.stringify(trimmed(examples.find((each) => each.name === event).examples[index]), null, 1) + "\n";
  writeFileSync(join(here, `${name}.json`), text);
  signatures.push(`${name} ${await sign(secret, text)}`);
}
writeFileSync(join(here, "signatures.txt"), signatures.join("\n") + "\n");
