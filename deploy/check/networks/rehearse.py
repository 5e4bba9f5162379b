"""What deploy/check/networks/run does, given the folder of the programs."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from agent import Agent, GaveUp
from link import End, Link, run

SERVER = "tv.latchkey.test"
PORT = 8443
URL = f"https://{SERVER}:{PORT}"
ADDRESS, OTHER_ADDRESS, BOX_ADDRESS = "192.0.2.1", "192.0.2.7", "192.0.2.2"
STRICT, CLASSIC = "DEMO", "DEMO-CLASSIC"
CHANNEL = "Demo One"
# The longest pause of an agent whose server is gone (ContactPlan), and of a pairing (PollingSchedule), and some seconds.
LONGEST_PAUSE = 95


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Rehearsal:
    def __init__(self, programs: str, folder: str) -> None:
        self.programs, self.folder = programs, folder
        self.passed = self.failed = 0
        self.networks = {"box": f"latchkey-box-{os.getpid()}", "server": f"latchkey-server-{os.getpid()}"}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.link: Link | None = None
        self.agent: Agent | None = None

    # Surroundings

    def make_networks(self) -> None:
        for network in self.networks.values():
            run("ip", "netns", "add", network)
            run("ip", "-n", network, "link", "set", "lo", "up")
            os.makedirs(f"/etc/netns/{network}")
        self.write_hosts("box", ADDRESS)
        # What is asked beside the server has its own address: it may see the figures.
        self.write_hosts("server", "127.0.0.1")
        self.box = End(self.networks["box"], f"lk-box-{os.getpid()}")
        self.server = End(self.networks["server"], f"lk-srv-{os.getpid()}")
        self.box.give(f"{BOX_ADDRESS}/24")
        self.server.give(f"{ADDRESS}/24")
        self.server.raise_()
        self.link = Link(self.box, self.server)

    def write_hosts(self, network: str, address: str) -> None:
        # In place: a program that runs in the network sees this very file as /etc/hosts.
        with open(f"/etc/netns/{self.networks[network]}/hosts", "w", encoding="ascii") as file:
            file.write(f"127.0.0.1 localhost\n{address} {SERVER}\n")

    def make_certificates(self) -> None:
        def openssl(*words: str) -> None:
            subprocess.run(("openssl", *words), check=True, cwd=self.folder, stderr=subprocess.DEVNULL)

        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        for name in ("own", "other"):
            openssl("req", "-x509", *key, "-days", "2", "-subj", f"/CN={name} authority",
                    "-keyout", f"{name}-ca.key", "-out", f"{name}-ca.pem")
            openssl("req", *key, "-subj", f"/CN={SERVER}", "-addext", f"subjectAltName=DNS:{SERVER}",
                    "-keyout", f"{name}.key", "-out", f"{name}.csr")
            openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{name}-ca.pem", "-CAkey", f"{name}-ca.key",
                    "-days", "2", "-copy_extensions", "copy", "-out", f"{name}.pem")
        # The phone, which is in the server's network, trusts the authority as those of the distribution.
        certificates = f"/etc/netns/{self.networks['server']}/ssl/certs"
        os.makedirs(certificates)
        shutil.copy(f"{self.folder}/own-ca.pem", certificates)
        run("openssl", "rehash", certificates)

    def install_certificate(self, name: str) -> None:
        for kind in ("pem", "key"):
            shutil.copy(f"{self.folder}/{name}.{kind}", f"{self.folder}/server.{kind}.new")
            os.chmod(f"{self.folder}/server.{kind}.new", 0o600)
            os.rename(f"{self.folder}/server.{kind}.new", f"{self.folder}/server.{kind}")

    def start(self, name: str, network: str, *words: str) -> None:
        with open(f"{self.folder}/{name}.log", "wb") as log:
            self.processes[name] = subprocess.Popen(
                ("ip", "netns", "exec", self.networks[network], *words), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start_server(self) -> None:
        said = subprocess.run(
            (f"{self.programs}/latchkeyd", "init", "--demo", "--folder", f"{self.folder}/demo", "--public-url", URL),
            check=True, capture_output=True, text=True).stdout
        words = dict(re.findall(r"^ +(account|password) +(\S+)$", said, re.MULTILINE))
        self.viewer = (words["account"], words["password"])
        path = f"{self.folder}/demo/latchkeyd.json5"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text, count = re.subn(
            r'^ +listen: \[[^\]]*\],',
            f'listen: ["0.0.0.0:{PORT}"], certificate: "{self.folder}/server.pem", '
            f'certificateKey: "{self.folder}/server.key",', text, flags=re.MULTILINE)
        assert count == 1, "the configuration says once where to listen"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.install_certificate("own")
        self.start("server", "server", f"{self.programs}/latchkeyd", "serve", "--config", path)
        self.until("a server that is ready", 20, lambda: self.ask_server("/readyz") is not None)

    def ask_server(self, path: str) -> str | None:
        """What the server answers with success to a program beside it, by a name that is not its public one."""
        answer = subprocess.run(
            ("ip", "netns", "exec", self.networks["server"], "curl", "-skf", "--max-time", "5",
             f"https://localhost:{PORT}{path}"),
            capture_output=True, text=True)
        return answer.stdout if answer.returncode == 0 else None

    def held(self) -> int:
        found = re.search(r"^http_held_requests(?:\{[^}]*\})? (\d+)", self.ask_server("/metrics") or "", re.MULTILINE)
        return int(found[1]) if found else 0

    def start_agent(self) -> Agent:
        def setting(file: str, pattern: str) -> str:
            with open(f"{self.folder}/demo/{file}", encoding="utf-8") as text:
                found = re.search(pattern, text.read())
            assert found, f"{file} has {pattern}"
            return found[0]

        statement = setting("latchkey.json5", r"softwareStatement: \"[^\"]*\"")
        pair = setting("latchkey-classic.json5", r"keyPair: \{[^}]*\}")
        path = f"{self.folder}/latchkey.json5"
        with open(path, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(
                f'{{ server: "{URL}", certificateAuthority: "{self.folder}/own-ca.pem", requestors: {{\n'
                f'  "{STRICT}": {{ {statement} }},\n  "{CLASSIC}": {{ {pair} }},\n}} }}\n')
        socket = f"{self.folder}/agent.sock"
        self.start("agent", "box", f"{self.programs}/latchkey", "agent", "--config", path, "--socket", socket,
                   "--state", f"{self.folder}/state/state.json")
        self.agent = Agent(socket)
        self.until("an agent that answers", 20, lambda: os.path.exists(socket) and self.standing(STRICT))
        return self.agent

    def clean_up(self, keep: bool) -> None:
        if self.agent:
            self.agent.close()
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        for name, process in self.processes.items():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                say(f"{name} does not end.")
                process.kill()
        if self.link:
            self.link.close()
        for network in self.networks.values():
            subprocess.run(("ip", "netns", "del", network), stderr=subprocess.DEVNULL)
            shutil.rmtree(f"/etc/netns/{network}", ignore_errors=True)
        if keep:
            say(f"The folder is still there: {self.folder}")
        else:
            shutil.rmtree(self.folder)

    # What is looked at

    @staticmethod
    def until(what: str, within: float, attempt: Callable[[], Any]) -> Any:
        """Asks another program again and again, for what it does not tell by itself."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            if found := attempt():
                return found
            time.sleep(0.05)
        raise GaveUp(f"no {what} within {within:.0f} s")

    def check(self, name: str, holds: object, facts: object = "") -> None:
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            say(f"{name} does not hold. {facts}")

    @contextmanager
    def part(self, name: str) -> Iterator[Agent]:
        assert self.agent and self.link
        start, before = time.monotonic(), self.link.count()
        self.link.be(loss=0)
        say(f"\n== {name} ==")
        try:
            yield self.agent
        except (GaveUp, OSError) as error:
            self.failed += 1
            say(f"{name}: {error}")
        counts = {key: value - before[key] for key, value in self.link.count().items()}
        say(f"{name}: {time.monotonic() - start:.0f} s; of its packets {counts['carried']} arrived, {counts['lost']} did not")

    def standing(self, requestor: str) -> str | None:
        assert self.agent
        try:
            status, answer = self.agent.call("GET", f"/v1/requestors/{requestor}")
        except OSError:
            return None
        return answer["state"] if status == 200 else None

    def pair(self, requestor: str) -> dict[str, Any]:
        assert self.agent
        status, answer = self.agent.call("POST", f"/v1/requestors/{requestor}/pairing", {})
        if status != 201:
            raise GaveUp(f"no code: {status} {answer}")
        return answer

    def phone(self, code: dict[str, Any], *words: str) -> None:
        """A viewer beside the server, with a good network."""
        address = f"{URL}/activate?code={code['code']}"
        said = subprocess.run(
            ("ip", "netns", "exec", self.networks["server"], f"{self.programs}/phone", address, *self.viewer, *words),
            capture_output=True, text=True, timeout=60)
        if said.returncode != 0:
            raise GaveUp(said.stderr)

    def authorize(self, requestor: str) -> tuple[int, Any, float]:
        """What came of it, and after how many seconds."""
        assert self.agent
        start = time.monotonic()
        status, answer = self.agent.call("POST", f"/v1/requestors/{requestor}/authorize", {"resource": CHANNEL})
        return status, answer, time.monotonic() - start

    def plays_again(self, requestor: str, within: float) -> float:
        """Seconds until an application that asks again and again has a token."""
        start = time.monotonic()
        answers = []
        try:
            self.until("media token", within, lambda: answers.append(self.authorize(requestor)) or answers[-1][0] == 200)
        except GaveUp as error:
            raise GaveUp(f"{error}; the last answer was {answers[-1]}") from None
        return time.monotonic() - start

    # The parts

    def late_network(self) -> None:
        with self.part("A network that is late") as agent:
            event = agent.event("unreachable", STRICT, 0, 30)
            self.check("the server is said to be out of reach", "cannot be reached" in event["message"], event)
            agent.event("unreachable", CLASSIC, 0, 30)
            start = time.monotonic()
            status, answer = agent.call("POST", f"/v1/requestors/{STRICT}/pairing", {})
            self.check("a caller is told to come again", status == 503 and answer["error"] == "unreachable", answer)
            self.check("at once", time.monotonic() - start < 3, time.monotonic() - start)
            here = agent.here()
            self.box.raise_()
            for requestor in (STRICT, CLASSIC):
                agent.event("reachable", requestor, here, LONGEST_PAUSE)
                self.passed += 1

    def loss(self) -> None:
        with self.part("A fifth of the packets lost, the others 200 ms late, each way") as agent:
            assert self.link
            self.link.be(loss=0.2, delay=0.2)
            here = agent.here()
            code = self.until("code", 180, lambda: self.code(STRICT))
            self.phone(code)
            event = agent.event("approved", STRICT, here, 180)
            self.check("the box is signed in", event["mvpd"] == "DemoTV", event)
            for _ in range(3):
                say(f"a token after {self.plays_again(STRICT, 180):.1f} s")
                self.passed += 1
            here = agent.here()
            code = self.until("code", 180, lambda: self.code(CLASSIC))
            self.phone(code, "decline")
            agent.event("declined", CLASSIC, here, 180)
            self.passed += 1

    def code(self, requestor: str) -> dict[str, Any] | None:
        assert self.agent
        status, answer = self.agent.call("POST", f"/v1/requestors/{requestor}/pairing", {})
        return answer if status in (200, 201) else None

    def black_hole(self) -> None:
        with self.part("A link that swallows everything, with a question held and a box signed in") as agent:
            assert self.link
            code = self.pair(CLASSIC)
            self.until("held question", 20, lambda: self.held() > 0)
            here = agent.here()
            self.link.be(loss=1)
            status, answer, seconds = self.authorize(STRICT)
            say(f"an application was told after {seconds:.1f} s")
            self.check("an application is told", status == 503 and answer["error"] == "unreachable", answer)
            self.check("within half a minute", seconds < 30, seconds)
            agent.event("unreachable", STRICT, here, 5)
            self.check("the box stays signed in", self.standing(STRICT) == "signed_in")
            # As long as the question may be held, and two attempts more.
            agent.event("unreachable", CLASSIC, here, 240)
            self.check("the code stays on show", self.standing(CLASSIC) == "pairing")
            self.phone(code)
            here = agent.here()
            start = time.monotonic()
            self.link.be(loss=0)
            say(f"a token {self.plays_again(STRICT, 30):.1f} s after the link was back")
            self.passed += 1
            agent.event("approved", CLASSIC, here, LONGEST_PAUSE)
            say(f"signed in {time.monotonic() - start:.1f} s after the link was back")
            self.passed += 1

    def cut(self) -> None:
        with self.part("A link that is down, with a question held and a box signed in") as agent:
            # They have one sign-in at the server, so signing one out ends both.
            for requestor in (CLASSIC, STRICT):
                status, _ = agent.call("DELETE", f"/v1/requestors/{requestor}/sign-in")
                self.check(f"{requestor} is signed out", status == 204, status)
            here = agent.here()
            self.phone(self.pair(STRICT))
            agent.event("approved", STRICT, here, 30)
            code = self.pair(CLASSIC)
            self.until("held question", 20, lambda: self.held() > 0)
            here = agent.here()
            self.box.cut()
            status, answer, seconds = self.authorize(STRICT)
            say(f"an application was told after {seconds:.1f} s")
            self.check("an application is told", status == 503 and answer["error"] == "unreachable", answer)
            agent.event("unreachable", CLASSIC, here, 240)
            self.check("the box stays signed in", self.standing(STRICT) == "signed_in")
            self.check("the code stays on show", self.standing(CLASSIC) == "pairing")
            here = agent.here()
            self.box.raise_()
            start = time.monotonic()
            say(f"a token {self.plays_again(STRICT, 30):.1f} s after the link was up")
            self.passed += 1
            self.phone(code)
            agent.event("approved", CLASSIC, here, LONGEST_PAUSE)
            say(f"signed in {time.monotonic() - start:.1f} s after the link was up")
            self.passed += 1

    def move(self) -> None:
        with self.part("A server that moves to another address"):
            self.server.give(f"{OTHER_ADDRESS}/24")
            self.server.take(f"{ADDRESS}/24")
            # Taking the first address of a network takes the others with it.
            subprocess.run(("ip", "-n", self.networks["server"], "address", "replace", f"{OTHER_ADDRESS}/24",
                            "dev", self.server.device), check=True)
            self.write_hosts("box", OTHER_ADDRESS)
            for requestor in (STRICT, CLASSIC):
                say(f"{requestor}: a token after {self.plays_again(requestor, LONGEST_PAUSE):.1f} s")
                self.passed += 1

    def other_authority(self) -> None:
        with self.part("A certificate of another authority") as agent:
            here = agent.here()
            self.install_certificate("other")
            self.processes["server"].send_signal(signal.SIGHUP)
            # Connections that are open stay good; a box that comes anew does not trust it.
            self.box.cut()
            self.authorize(STRICT)
            agent.event("unreachable", STRICT, here, 30)
            self.box.raise_()
            event = self.until("a word on the certificate", LONGEST_PAUSE, lambda: self.distrust(here))
            say(event["message"])
            status, answer, _ = self.authorize(STRICT)
            self.check("an application is told why",
                       status == 503 and "certificate" in answer["message"] and SERVER in answer["message"], answer)
            self.check("the box stays signed in", self.standing(STRICT) == "signed_in")
            doctor = subprocess.run(
                ("ip", "netns", "exec", self.networks["box"], f"{self.programs}/latchkey", "doctor",
                 "--config", f"{self.folder}/latchkey.json5", "--state", f"{self.folder}/state/state.json",
                 "--requestor", STRICT), capture_output=True, text=True)
            line = next((line for line in doctor.stdout.splitlines() if re.match(r"fault +tls ", line)), "")
            self.check("doctor names it", "certificate" in line and doctor.returncode != 0,
                       doctor.stdout + doctor.stderr)
            self.install_certificate("own")
            self.processes["server"].send_signal(signal.SIGHUP)
            say(f"a token {self.plays_again(STRICT, 30):.1f} s after the right one was back")
            self.passed += 1

    def distrust(self, here: int) -> dict[str, Any] | None:
        assert self.agent
        self.authorize(STRICT)
        return next((event for event in self.agent.all(here)
                     if event["event"] == "unreachable" and "certificate" in event["message"]), None)

    def run(self) -> None:
        self.make_networks()
        self.make_certificates()
        self.start_server()
        # Without its link.
        self.start_agent()
        for part in (self.late_network, self.loss, self.black_hole, self.cut, self.move, self.other_authority):
            part()
        for name, process in self.processes.items():
            self.check(f"{name} is still the same", process.poll() is None, process.returncode)


def main() -> None:
    words = sys.argv[1:]
    keep = "--keep" in words
    rehearsal = Rehearsal(words[-1], tempfile.mkdtemp(prefix="latchkey-networks."))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        rehearsal.run()
    finally:
        rehearsal.clean_up(keep)
    print(f"{rehearsal.passed} passed, {rehearsal.failed} failed")
    sys.exit(1 if rehearsal.failed else 0)


main()
