#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes github.json beside itself: the part of GitHub's own OpenAPI description that we speak.

trim.py FILE, where FILE is generated/api.github.com.json of the npm package @octokit/openapi (23.0.2 was used; MIT).
"""
import json
import pathlib
import sys

SPOKEN = {
    "/repos/{owner}/{repo}/statuses/{sha}": ["post"],
    "/repos/{owner}/{repo}/check-runs": ["post"],
    "/repos/{owner}/{repo}/check-runs/{check_run_id}": ["patch"],
    "/repos/{owner}/{repo}/commits/{ref}/check-runs": ["get"],
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ["get", "post"],
    "/repos/{owner}/{repo}/issues/comments/{comment_id}": ["patch"],
    "/repos/{owner}/{repo}/collaborators/{username}/permission": ["get"],
    "/repos/{owner}/{repo}/installation": ["get"],
    "/app/installations/{installation_id}/access_tokens": ["post"],
    "/app": ["get"],
    "/user": ["get"],
}
ACCEPTED = "application/vnd.github+json"  # what GitHub asks callers to accept; its description names only plain JSON


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for one in value.values():
            yield from references(one)
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


def without_words(value):
    """Descriptions and links to pages are two thirds of the file."""
    if isinstance(value, list):
        return [without_words(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: without_words(one) for name, one in value.items()
            if not (name in ("description", "externalDocs", "x-github") and not isinstance(one, dict)
                    or name in ("externalDocs", "x-github"))}


def accept(responses):
    for response in responses.values():
        content = response.get("content", {})
        if "application/json" in content:
            content[ACCEPTED] = content["application/json"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file)
    paths = {path: {verb: whole["paths"][path][verb] for verb in verbs} for path, verbs in SPOKEN.items()}
    kept, wanted = {}, list(references(paths))
    while wanted:
        reference = wanted.pop()
        _, _, section, name = reference.split("/", 3)
        if name not in kept.setdefault(section, {}):
            kept[section][name] = whole["components"][section][name]
            wanted += references(kept[section][name])
    for operations in paths.values():
        for operation in operations.values():
            accept(operation["responses"])
    accept(kept.get("responses", {}))
    trimmed = without_words({"openapi": whole["openapi"], "info": whole["info"], "servers": whole["servers"],
                             "paths": paths, "components": kept})
    for responses in [o["responses"] for p in trimmed["paths"].values() for o in p.values()] + \
            [trimmed["components"].get("responses", {})]:
        for response in responses.values():
            if "$ref" not in response:
                response["description"] = ""  # the format wants one
    target = pathlib.Path(__file__).with_name("github.json")
    target.write_text(json.dumps(trimmed, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
