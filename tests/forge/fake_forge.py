# SPDX-License-Identifier: Apache-2.0
"""A forge with a memory and a bad temper: GitHub's statuses, check runs and comments, GitLab's statuses, a webhook's
receiver and a chat room, in one server of the standard library.

`trouble(random)` names what befalls the next request that changes something: None, "limit", "busy" (refused unseen),
"gone" (done, and a 502 instead of the answer), "cut" (done, and the connection ends without a word), "late" (done only
after the caller has lost patience), "away" (the connection ends unseen).
"""
import hashlib
import hmac
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STATES = {"pending", "success", "failure", "error"}
GITLAB_STATES = {"pending", "running", "success", "failed", "canceled"}
CONCLUSIONS = {"success", "failure", "neutral", "cancelled"}
WEBHOOK_SECRET = b"webhook secret"
TOKEN = "ghs_installation"


class Forge:
    def __init__(self, trouble, late_s):
        self.trouble, self.late_s = trouble, late_s
        self.lock = threading.Lock()
        self.statuses, self.gitlab = {}, {}      # commit -> what was said of it, in the order it was done
        self.checks, self.comments = {}, {}      # id -> object
        self.hooks, self.chats, self.invalid = [], [], []
        self.requests = 0
        self.writers = {"grace"}                 # who may write to the repository
        self.late = set()                        # ids of statuses that were done late
        self.server = None
        self.port = 0

    def start(self):
        forge = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                forge.handle(self)

            do_GET = do_POST = do_PATCH = handle_any

            def log_message(self, *_):
                pass

        ThreadingHTTPServer.allow_reuse_address = True
        ThreadingHTTPServer.daemon_threads = True
        ThreadingHTTPServer.block_on_close = False
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self):
        """As a forge that is restarted: nobody listens, and what it knows stays."""
        self.server.shutdown()
        self.server.server_close()

    def url(self):
        return f"http://127.0.0.1:{self.port}"

    # One request

    def handle(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        with self.lock:
            self.requests += 1
            befalls = self.trouble() if handler.command != "GET" else None
        if befalls == "away":
            return self.hang_up(handler)
        if befalls == "limit":
            said = {"message": "You have exceeded a secondary rate limit"}
            return self.answer(handler, 403, said, {"Retry-After": "1"})
        if befalls == "busy":
            return self.answer(handler, 503, {"message": "busy"})
        if befalls == "late":
            time.sleep(self.late_s)
        with self.lock:
            status, found = self.act(handler, body, befalls == "late")
        if befalls in ("cut", "late"):
            return self.hang_up(handler)
        if befalls == "gone":
            status, found = 502, {"message": "bad gateway"}
        return self.answer(handler, status, found)

    @staticmethod
    def hang_up(handler):
        handler.close_connection = True

    @staticmethod
    def answer(handler, status, found, headers=None):
        text = json.dumps(found).encode()
        try:
            handler.send_response(status)
            for name, value in {"Content-Type": "application/json", "Content-Length": str(len(text)),
                                **(headers or {})}.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(text)
        except OSError:
            pass  # the caller was killed

    def act(self, handler, body, late):
        route = handler.command + " " + handler.path.split("?")[0]
        for pattern, method in self.ROUTES:
            match = re.fullmatch(pattern, route)
            if match:
                value = json.loads(body) if body else {}
                self.authorised(handler, route)
                return method(self, handler, value, body, late, *match.groups())
        self.invalid.append("no such route: " + route)
        return 404, {"message": "Not Found"}

    def authorised(self, handler, route):
        said = handler.headers.get("Authorization", "")
        if "/projects/" in route:
            right = handler.headers.get("PRIVATE-TOKEN") == "gitlab-token"
        elif "/app" in route or route.endswith("/installation"):
            right = re.fullmatch(r"Bearer [\w-]+\.[\w-]+\.[\w-]+", said)
        else:
            right = route in ("POST /hook", "POST /room") or said == "Bearer " + TOKEN
        if not right:
            self.invalid.append("not authorised: " + route)

    def expect(self, what, right):
        if not right:
            self.invalid.append(what)

    # Routes

    def installation(self, *_):
        return 200, {"id": 5}

    def token(self, *_):
        return 201, {"token": TOKEN, "expires_at": "2099-01-01T00:00:00Z"}

    def app(self, *_):
        return 200, {"slug": "kernelgate"}

    def add_status(self, handler, value, body, late, commit):
        self.expect(f"status {value}", value.get("state") in STATES and len(value.get("description", "")) <= 140)
        said = self.statuses.setdefault(commit, [])
        said.append({**value, "late": late})
        return 201, {"id": len(said)}

    def add_check(self, handler, value, body, late):
        self.expect(f"check {value}", value.get("name") and value.get("head_sha") and value.get("status"))
        number = 1000 + len(self.checks)
        self.checks[number] = {**value, "id": number, "app": {"id": 77}}
        return 201, self.checks[number]

    def edit_check(self, handler, value, body, late, number):
        check = self.checks[int(number)]
        ended = value.get("status") == "completed"
        self.expect(f"check {value}", (value.get("conclusion") in CONCLUSIONS) == ended)
        check.update(value)
        return 200, check

    def list_checks(self, handler, value, body, late, commit):
        found = [one for one in self.checks.values() if one["head_sha"] == commit]
        return 200, {"total_count": len(found), "check_runs": self.page(handler, found)}

    def permission(self, handler, value, body, late, user):
        return 200, {"permission": "write" if user in self.writers else "read"}

    def list_comments(self, handler, value, body, late, number):
        return 200, self.page(handler, [one for one in self.comments.values() if one["pull_request"] == number])

    def add_comment(self, handler, value, body, late, number):
        made = {"id": 2000 + len(self.comments), "pull_request": number, "user": {"login": "kernelgate[bot]"}, **value}
        self.comments[made["id"]] = made
        return 201, made

    def edit_comment(self, handler, value, body, late, number):
        self.comments[int(number)].update(value)
        return 200, self.comments[int(number)]

    def gitlab_status(self, handler, value, body, late, commit):
        self.expect(f"gitlab {value}", value.get("state") in GITLAB_STATES)
        said = self.gitlab.setdefault(commit, [])
        if said and said[-1]["state"] == value["state"] and value["state"] != "pending":
            return 400, {"message": "Cannot transition status via :run from :running"}
        said.append(value)
        return 201, {"id": len(said)}

    def hook(self, handler, value, body, late):
        right = "sha256=" + hmac.new(WEBHOOK_SECRET, body, hashlib.sha256).hexdigest()
        self.expect("signature", handler.headers.get("X-Kernelgate-Signature-256") == right)
        self.expect("delivery", handler.headers.get("X-Kernelgate-Delivery") == value["delivery"])
        self.hooks.append(value)
        return 200, {}

    def room(self, handler, value, body, late):
        self.chats.append(value["text"])
        return 200, {}

    @staticmethod
    def page(handler, rows):
        wanted = dict(re.findall(r"(\w+)=(\w+)", handler.path))
        size, number = int(wanted.get("per_page", 30)), int(wanted.get("page", 1))
        return rows[(number - 1) * size:number * size]

    ROUTES = [
        (r"GET /repos/octo/kernels/installation", installation),
        (r"POST /app/installations/5/access_tokens", token),
        (r"GET /app", app),
        (r"GET /repos/octo/kernels/collaborators/(\w+)/permission", permission),
        (r"POST /repos/octo/kernels/statuses/(\w+)", add_status),
        (r"POST /repos/octo/kernels/check-runs", add_check),
        (r"PATCH /repos/octo/kernels/check-runs/(\d+)", edit_check),
        (r"GET /repos/octo/kernels/commits/(\w+)/check-runs", list_checks),
        (r"GET /repos/octo/kernels/issues/(\d+)/comments", list_comments),
        (r"POST /repos/octo/kernels/issues/(\d+)/comments", add_comment),
        (r"PATCH /repos/octo/kernels/issues/comments/(\d+)", edit_comment),
        (r"POST /projects/octo%2Fkernels/statuses/(\w+)", gitlab_status),
        (r"POST /hook", hook),
        (r"POST /room", room),
    ]
