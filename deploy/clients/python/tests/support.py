"""What the tests share: a demo server of the real program, a scripted server, and a stand-in for the agent."""

import base64
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "deploy/clients/python/src"))

import latchkey  # noqa: E402
from latchkey import polling, qr  # noqa: E402
from latchkey.transport import Answer  # noqa: E402

__all__ = [
    "DemoServer", "LIMIT", "PAIR", "PROGRAMS", "Reply", "ROOT", "ScriptedTransport", "Sent", "StandInAgent",
    "Unhurried", "cancel_after", "latchkey", "polling", "qr", "reply",
]

#: Where the build left `latchkeyd` and `phone`.
PROGRAMS = os.environ.get("LATCHKEY_PROGRAMS", str(ROOT / ".build/debug"))
#: Nothing here waits longer, in seconds.
LIMIT = 30.0
PAIR = latchkey.KeyPair("P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L", "k7Qm2vTx9LbN4cRz")


class DemoServer:
    """`latchkeyd` with the demo's providers and brands, in a folder of its own."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="latchkey-python.")
        # A port of the kernel's choice; it is free again when the server asks for it.
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: Optional["subprocess.Popen[bytes]"] = None
        told = self.run("init", "--demo", "--folder", self.folder + "/server", "--public-url", self.url)
        password = re.search(r"^ *password +(\S+)$", told, re.MULTILINE)
        assert password, told
        self.password = password.group(1)
        self.configuration = self.folder + "/server/latchkeyd.json5"
        self.key_file = self.folder + "/server/demo-key-pair.json"
        self.start()

    @staticmethod
    def run(*arguments: str) -> str:
        """What `latchkeyd` prints for the arguments."""
        done = subprocess.run(
            [PROGRAMS + "/latchkeyd", *arguments], stdout=subprocess.PIPE, timeout=LIMIT, check=True)
        return done.stdout.decode("utf-8")

    def start(self) -> None:
        """Starts it, and returns when it says that it listens."""
        self.process = subprocess.Popen(
            [PROGRAMS + "/latchkeyd", "serve", "--config", self.configuration], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        told = self.process.stdout
        assert told
        said = b""
        while b"latchkeyd serves " not in said:
            line = told.readline()
            said += line
            assert line, said.decode("utf-8")
        self.drain = threading.Thread(target=told.read, daemon=True)
        self.drain.start()

    def stop(self) -> None:
        """Stops it."""
        if self.process:
            self.process.terminate()
            self.process.wait(LIMIT)
            self.drain.join(LIMIT)
            if self.process.stdout:
                self.process.stdout.close()
            self.process = None

    def close(self) -> None:
        """Stops it and removes its folder."""
        self.stop()
        shutil.rmtree(self.folder)

    def phone(self, url: str, decision: str = "confirm") -> "subprocess.Popen[bytes]":
        """Goes through the pages as a viewer with a phone would."""
        more = ["decline"] if decision == "decline" else []
        return subprocess.Popen(
            [PROGRAMS + "/phone", url, "demo", self.password, *more], stderr=subprocess.DEVNULL)

    def verify(self, token: str, resource: str) -> str:
        """What the media back end's program says of a token."""
        done = subprocess.run(
            [PROGRAMS + "/latchkeyd", "verify-media-token", "--config", self.configuration, "--channel", resource],
            input=token.encode("ascii"), stdout=subprocess.PIPE, timeout=LIMIT)
        return str(json.loads(done.stdout)["result"])

    def get(self, path: str) -> int:
        """The status of a page."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=LIMIT) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code


class Sent(NamedTuple):
    """A request as it was sent."""

    method: str
    path: str
    parameters: Dict[str, str]
    headers: Mapping[str, str]
    timeout: float


Reply = Union[Answer, Exception]


def reply(status: int, document: Any = None, **headers: str) -> Answer:
    """An answer with a JSON document; underscores in the headers' names stand for hyphens."""
    body = b"" if document is None else json.dumps(document).encode("utf-8")
    return Answer(status, {name.replace("_", "-").lower(): value for name, value in headers.items()}, body)


class ScriptedTransport:
    """A server that gives the prepared answers, one after the other, and keeps what was asked."""

    name = "The server tv.example"

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.sent: List[Sent] = []
        self.on_send: Callable[[], None] = lambda: None

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float,
        cancellation: Optional[latchkey.Cancellation],
    ) -> Answer:
        path, _, query = target.partition("?")
        text = query or ("" if body is None or body[:1] == b"{" else body.decode("ascii"))
        self.sent.append(Sent(method, path, dict(urllib.parse.parse_qsl(text)), headers, timeout))
        self.on_send()
        if cancellation and cancellation.is_cancelled:
            raise latchkey.Cancelled()
        answer = self.replies.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Unhurried(latchkey.Cancellation):
    """A cancellation whose pauses are over at once; it keeps how long they were to be, in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: List[float] = []

    def wait(self, seconds: float) -> bool:
        self.pauses.append(seconds)
        return self.is_cancelled


def cancel_after(event: threading.Event, cancellation: latchkey.Cancellation) -> None:
    """Cancels once the event has come."""
    event.wait(LIMIT)
    cancellation.cancel()


class StandInAgent(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """A real HTTP server on a Unix socket that speaks the agent's API; tests play the viewer and the box's owner."""

    daemon_threads = True
    block_on_close = False
    #: Codes it issues, one after the other.
    CODES = ("M3KTKHJ", "BCDFGHJ", "KLMNPQR")

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="latchkey-agent.")
        self.path = self.folder + "/agent.sock"
        self.changed = threading.Condition()
        self.events: List[Dict[str, Any]] = []
        self.first = 1
        self.issued = 0
        self.pairing: Optional[Dict[str, Any]] = None
        self.sign_in: Dict[str, Any] = {"requestor": "DEMO", "state": "signed_out", "reason": "never"}
        self.permission = "granted"
        #: Whether a question for permission is held, and for how many seconds each was to be.
        self.holds = True
        self.waits: List[float] = []
        #: Whether the sign-in of DEMO is the account of the box.
        self.has_account = True
        self.boxes: List[Dict[str, Any]] = [
            {
                "box": "00112233445566aa", "name": "Living room", "model": "HC-100", "since": 1, "seen": 7,
                "expires": 2, "this": True,
            },
            {"box": "ffee112233445566", "since": 1, "expires": 2, "this": False},
        ]
        #: How many resources its server takes in one question for locks.
        self.limit = 5
        #: An answer to give once to the next call, whatever it is: status, document, headers.
        self.next_answer: Optional[Tuple[int, Any, Dict[str, str]]] = None
        self.calls: List[str] = []
        super().__init__(self.path, _AgentCall)
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Stops it and removes its folder."""
        self.shutdown()
        self.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def handle_error(self, *_: object) -> None:
        """A caller that went away is no fault."""

    # The viewer and the owner

    def tell(self, event: str, **members: Any) -> None:
        """Adds an event."""
        with self.changed:
            number = self.first + len(self.events)
            self.events.append(
                {"version": 1, "number": number, "event": event, "time": 0, "requestor": "DEMO", **members})
            self.changed.notify_all()

    def issue(self) -> None:
        """A code, the first one or a renewed one."""
        with self.changed:
            code = self.CODES[self.issued % len(self.CODES)]
            self.issued += 1
            url = f"https://tv.example/activate?lang=de&code={code}"
            picture = qr.png(url)
            assert picture
            self.pairing = {
                "requestor": "DEMO", "code": code, "displayCode": f"{code[:3]}-{code[3:]}", "url": url,
                "pageUrl": "https://tv.example/activate?lang=de",
                "shortUrl": f"HTTPS://TV.EXAMPLE/G/{code}", "issued": 0, "expires": 253_402_300_000_000,
                "secondsLeft": 1800,
                "qr": "data:image/png;base64," + base64.b64encode(picture).decode("ascii"), "opened": False,
            }
            self.sign_in = {"requestor": "DEMO", "state": "pairing"}
        members = ("code", "displayCode", "url", "expires", "secondsLeft")
        self.tell("code_issued", **{key: self.pairing[key] for key in members})

    def end(self, event: str, **members: Any) -> None:
        """The pairing's end."""
        with self.changed:
            self.pairing = None
            if event == "approved":
                self.sign_in = {
                    "requestor": "DEMO", "state": "signed_in", "mvpd": "DemoTV", "mvpdName": "Demo TV",
                    "expires": 1_800_000_000_000}
                members = {"mvpd": "DemoTV", "expires": 1_800_000_000_000}
            else:
                self.sign_in = {"requestor": "DEMO", "state": "signed_out", "reason": "never"}
        self.tell(event, **members)

    def decide(self, permission: str) -> None:
        """The owner's decision."""
        with self.changed:
            self.permission = permission
            self.changed.notify_all()

    def forget(self) -> None:
        """Loses the events, as a restart does."""
        with self.changed:
            self.first += len(self.events) + 1000
            self.events = []
            self.changed.notify_all()


class _AgentCall(http.server.BaseHTTPRequestHandler):
    server: StandInAgent
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def address_string(self) -> str:
        return "local"

    def answer(self, status: int, document: Any = None, headers: Optional[Dict[str, str]] = None) -> None:
        body = b"" if document is None else json.dumps(document).encode("utf-8")
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def fail(self, status: int, code: str, message: str = "It is so.", **members: Any) -> None:
        self.answer(status, {"error": code, "message": message, **members})

    def handle_call(self) -> None:
        agent = self.server
        path, _, query = self.path.partition("?")
        parameters = dict(urllib.parse.parse_qsl(query))
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        agent.calls.append(f"{self.command} {path}")
        if agent.next_answer:
            status, document, headers = agent.next_answer
            agent.next_answer = None
            return self.answer(status, document, headers)
        if path == "/v1/permission":
            if self.command == "POST" and agent.permission == "undetermined":
                agent.tell("permission_asked", application="user:test")
                self.wait_for_decision(float(parameters.get("wait", "0")))
            status = 202 if self.command == "POST" and agent.permission == "undetermined" else 200
            return self.answer(status, {"application": "user:test", "permission": agent.permission})
        if agent.permission != "granted":
            return self.fail(403, f"permission_{agent.permission}")
        if path == "/v1/events":
            return self.events(parameters)
        if path == "/v1/account":
            return self.answer(200, agent.sign_in) if agent.has_account else self.fail(404, "not_found")
        if path == "/v1/account/providers":
            provider = {"id": "DemoTV", "name": "Demo TV", "provider": "platform-demo"}
            return self.answer(200, {"providers": [provider]})
        found = re.match(r"/v1/requestors/([^/]+)(/[a-z-]+)?(/[0-9a-f]+)?$", path)
        if not found or found.group(1) != "DEMO":
            return self.fail(404, "unknown_requestor")
        if found.group(3):
            parameters["box"] = found.group(3)[1:]
        return self.requestor(f"{self.command} {found.group(2) or ''}", parameters, body)

    do_GET = do_POST = do_DELETE = handle_call  # noqa: N815

    def wait_for_decision(self, seconds: float) -> None:
        agent = self.server
        agent.waits.append(seconds)
        with agent.changed:
            # What is held for longer than a moment ends when the owner decides.
            agent.changed.wait_for(
                lambda: agent.permission != "undetermined", min(seconds, LIMIT) if agent.holds else 0)

    def events(self, parameters: Dict[str, str]) -> None:
        agent = self.server
        with agent.changed:
            last = agent.first + len(agent.events) - 1
            if "after" not in parameters:
                return self.answer(200, {"events": [], "next": last})
            after, wait = int(parameters["after"]), float(parameters.get("wait", "0"))
            if after < agent.first - 1:
                gap = {"version": 1, "number": last, "event": "gap", "time": 0}
                return self.answer(200, {"events": [gap], "next": last})
            agent.changed.wait_for(lambda: agent.first + len(agent.events) - 1 > after, min(wait, LIMIT))
            news = [event for event in agent.events if event["number"] > after]
            return self.answer(200, {"events": news, "next": news[-1]["number"] if news else after})

    def requestor(self, call: str, parameters: Dict[str, str], body: Any) -> None:
        agent = self.server
        is_signed_in = agent.sign_in["state"] == "signed_in"
        if call == "GET ":
            return self.answer(200, agent.sign_in)
        if call == "GET /providers":
            return self.answer(200, {"providers": [{"id": "DemoTV", "name": "Demo TV"}]})
        if call == "POST /pairing":
            if is_signed_in:
                return self.fail(409, "already_signed_in")
            is_new = agent.pairing is None
            if is_new:
                agent.issue()
            return self.answer(201 if is_new else 200, agent.pairing)
        if call == "GET /pairing":
            return self.answer(200, agent.pairing) if agent.pairing else self.fail(404, "not_found")
        if call == "DELETE /pairing":
            if agent.pairing:
                agent.end("cancelled")
            return self.answer(204)
        if call == "DELETE /sign-in":
            agent.sign_in = {"requestor": "DEMO", "state": "signed_out", "reason": "signed_out"}
            return self.answer(204)
        if not is_signed_in:
            return self.fail(409, "not_signed_in")
        if call == "GET /boxes":
            return self.answer(200, {"boxes": agent.boxes, "more": False})
        if call == "DELETE /boxes":
            found = [box for box in agent.boxes if box["box"] == parameters.get("box")]
            if not found:
                return self.fail(404, "not_found")
            if found[0]["this"]:
                return self.fail(409, "conflict")
            agent.boxes.remove(found[0])
            return self.answer(204)
        if call == "POST /authorize":
            if body["resource"] == "Demo Extra":
                return self.fail(
                    422, "not_authorized", resource="Demo Extra", providerMessage="Not part of your package.")
            return self.answer(200, {"resource": body["resource"], "token": "PHNpZ24+", "expires": 1_800_000_000_000})
        if call == "POST /preauthorize":
            if len(body["resources"]) > agent.limit:
                return self.fail(400, "bad_request")
            return self.answer(200, {"resources": [
                {"resource": name, "authorized": name != "Demo Extra", "message": "Not part of your package."}
                for name in body["resources"]]})
        if call == "GET /metadata":
            if parameters["key"] == "zip":
                return self.answer(200, {"key": "zip", "value": ["12345"]})
            return self.fail(404, "not_found")
        return self.fail(404, "not_found")
