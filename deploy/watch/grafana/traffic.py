"""A real server, and what boxes and viewers do with it for a while: sign in, decline, mistype, play, guess."""
import base64
import hashlib
import hmac
import http.client
import http.server
import itertools
import json
import math
import os
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

REQUESTOR = "DEMO-CLASSIC"
CHANNELS = ("Demo One", "Demo Two", "Demo Extra")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Decisions(http.server.BaseHTTPRequestHandler):
    """A TV provider's authorization endpoint (deploy/contracts/authorization.openapi.json), which permits two channels of three."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(random.uniform(0.01, 0.06))
        answer = json.dumps({"decisions": [
            {"id": item["id"], "decision": "deny" if item["resource"] == CHANNELS[2] else "permit", "expiresIn": 5}
            for item in question["resources"]]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Server:
    """`latchkeyd` with the demo's set-up, whose provider asks an authorization endpoint of ours."""

    def __init__(self, folder, programs):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.programs = programs
        demo = folder / "server"
        said = subprocess.run(
            [programs / "latchkeyd", "init", "--demo", "--folder", demo, "--public-url", self.url], check=True,
            capture_output=True, text=True).stdout
        words = [line.split() for line in said.splitlines()]
        self.account, self.password = (next(one[1] for one in words if one and one[0] == label)
                                       for label in ("account", "password"))
        pair = json.loads((demo / "demo-key-pair.json").read_text())
        self.public, self.private = pair["publicKey"], pair["privateKey"]
        self.endpoint = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Decisions)
        threading.Thread(target=self.endpoint.serve_forever, daemon=True).start()
        token = demo / "token"
        with open(os.open(token, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("token\n")
        configuration = demo / "latchkeyd.json5"
        address = f"http://127.0.0.1:{self.endpoint.server_port}/decisions"
        text = configuration.read_text().replace(
            "authorization: {\n", f'authorization: {{ address: "{address}", token: "{token}",\n', 1)
        configuration.write_text(text)
        self.log = open(folder / "server.log", "w")
        self.process = subprocess.Popen([programs / "latchkeyd", "serve", "--config", configuration], stderr=self.log)

    def __enter__(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if self.call("GET", "/readyz")[0] == 200:
                    return self
            except OSError:
                time.sleep(0.1)
        sys.exit(f"The server does not start; see {self.log.name}.")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.endpoint.shutdown()

    def call(self, method, path, form=None, signed=False, source="127.0.0.1"):
        """The status and the text of an answer; `source` is the address that the caller has."""
        headers = {"Accept": "application/json"}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if signed:
            text = (f"{method} requestor_id={REQUESTOR}, nonce={random.getrandbits(128):x}, "
                    f"signature_method=HMAC-SHA1, request_time={int(time.time() * 1000)}, "
                    f"request_uri={path.split('?')[0]}")
            digest = hmac.new(self.private.encode(), text.encode(), hashlib.sha1).digest()
            headers["Authorization"] = f"{text}, public_key={self.public}, signature={base64.b64encode(digest).decode()}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(source, 0))
        try:
            connection.request(method, path, form, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


class Box:
    """A box of a deployed brand, and its viewer."""

    def __init__(self, server, number):
        self.server = server
        self.device = hashlib.sha256(f"box {number}".encode()).hexdigest()

    def code(self):
        status, text = self.server.call(
            "POST", f"/reggie/v1/{REQUESTOR}/regcode", f"deviceId={self.device}&deviceType=SetTopBox", signed=True)
        return json.loads(text)["code"] if status == 201 else None

    def phone(self, code, *decision, password=None):
        words = [f"{self.server.url}/activate?code={code}", self.server.account, password or self.server.password]
        subprocess.run([self.server.programs / "phone", *words, *decision], stderr=subprocess.DEVNULL)

    def ask(self, path, channel=""):
        resource = urllib.parse.quote(channel)
        return self.server.call(
            "GET", f"/api/v1/{path}?deviceId={self.device}&requestor={REQUESTOR}&resource={resource}", signed=True)

    def play(self, channel):
        if self.ask("authorize", channel)[0] == 200:
            self.ask("tokens/media", channel)


def run(server, seconds):
    """Evening traffic, quickly: more and more boxes, then fewer; and someone who guesses, from another network."""
    end = time.monotonic() + seconds
    signed_in, number = [], itertools.count()

    def evening(worker):
        while (left := end - time.monotonic()) > 0:
            box = Box(server, next(number))
            code = box.code()
            if code is None:
                time.sleep(1)
                continue
            # Viewers look for their telephones.
            time.sleep(random.uniform(0.3, 2.5))
            box.ask(f"checkauthn/{code}")
            fate = random.random()
            if fate < 0.08:
                box.phone(code, "decline")
            elif fate < 0.2:
                server.call("GET", f"/activate/provider?code={code}")
            elif fate < 0.25:
                box.phone(code, password="mistyped")
                box.phone(code)
            elif fate < 0.9:
                box.phone(code)
            if box.ask(f"checkauthn/{code}")[0] == 200:
                signed_in.append(box)
            # Few at first, most in the middle.
            time.sleep(3 * (1.05 - math.sin(math.pi * left / seconds)))

    def playing():
        while time.monotonic() < end:
            for box in random.sample(signed_in, min(3, len(signed_in))):
                box.play(random.choice(CHANNELS))
            time.sleep(0.4)

    def guessing():
        time.sleep(seconds * 0.6)
        for step in range(160):
            if time.monotonic() > end:
                return
            guess = "QXQZ" + "".join(random.choices("BCDFGHJKLMNPQRSTVWXZ", k=3))
            server.call("GET", f"/activate/provider?code={guess}", source=f"127.9.0.{step % 4 + 1}")
            if step % 5 == 0:
                # Without a credential, and for a device that no one knows.
                server.call("GET", "/api/v1/authorize?deviceId=x&requestor=DEMO-CLASSIC&resource=x")
                Box(server, 0).code()
            time.sleep(0.15)

    threads = [threading.Thread(target=evening, args=(worker,)) for worker in range(3)]
    threads += [threading.Thread(target=playing), threading.Thread(target=guessing)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
