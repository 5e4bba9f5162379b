#!/usr/bin/python3
"""Two latchkeyd on two Patroni, as README.md sets them up, on this machine's loopback: etcd, Patroni and PostgreSQL are the
real ones, and are killed one after the other while boxes ask for codes.

  deploy/postgres/patroni.py --programs DIR [--tools NAME=PATH…] [--keep] [CASE…]

Every code that a node gave out is looked up at both nodes afterwards. Each case prints what it measured; the last line of
standard output is "N passed, N failed". patroni.yml and the lines for haproxy and pgbouncer are those of README.md, with the
addresses and folders of this run.
"""
import argparse
import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import psycopg2

HERE = os.path.dirname(os.path.abspath(__file__))
REQUESTOR = "DEMO-CLASSIC"
PASSWORDS = {name: f"{name}-secret" for name in (
    "postgres", "replicator", "rewinder", "latchkey_server", "latchkey_owner")}
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"] if os.geteuid() == 0 else []


def say(text):
    print(text, file=sys.stderr, flush=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(what, attempt, limit=120):
    """Asks until the answer is true, and returns it."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        try:
            answer = attempt()
            if answer:
                return answer
        except (OSError, psycopg2.Error, http.client.HTTPException):
            pass
        time.sleep(0.05)
    raise TimeoutError(f"{what} did not happen in {limit} seconds.")


def call(port, path, method="GET", body=None, headers=None, limit=10):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=limit)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def somewhere():
    """The address of one of many homes, so that no limit on strangers is met."""
    return ".".join(str(random.randint(1, 220)) for _ in range(4))


def block(name):
    """A block of README.md's chapter: what stands under the line that names its file."""
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        text = file.read()
    return re.search(r"```\w+\n([#;] " + re.escape(name) + r"\n.*?)```", text, re.S).group(1)


class Cluster:
    """etcd, two Patroni with their PostgreSQL, haproxy and pgbouncer."""

    def __init__(self, folder, tools):
        self.folder, self.tools = folder, tools
        self.processes = {}
        self.ports = {name: free_port() for name in (
            "etcd", "peer", "db1", "db2", "rest1", "rest2", "haproxy", "pgbouncer")}
        self.passfile = os.path.join(folder, "passfile")
        with open(self.passfile, "w", encoding="utf-8") as file:
            for role, password in PASSWORDS.items():
                file.write(f"*:*:*:{role}:{password}\n")
        os.chmod(self.passfile, 0o600)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/db.key", "-out", f"{folder}/db.crt"],
            check=True, capture_output=True)

    def start(self, name, words, home="/"):
        with open(os.path.join(self.folder, f"{name}.log"), "ab") as log:
            self.processes[name] = subprocess.Popen(
                AS_NOBODY + words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/", start_new_session=True,
                env={**os.environ, "HOME": home})

    def kill(self, name, how=signal.SIGKILL):
        process = self.processes.pop(name, None)
        if process:
            process.send_signal(how)
            process.wait()

    def start_etcd(self):
        client, peer = (f"http://127.0.0.1:{self.ports[name]}" for name in ("etcd", "peer"))
        self.start("etcd", [
            self.tools["etcd"], "--name", "etcd", "--data-dir", f"{self.folder}/etcd", "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", f"etcd={peer}", "--log-level", "error"])
        until("etcd's start", lambda: call(self.ports["etcd"], "/health")[0] == 200)

    def adapted(self, text, number):
        """README.md's lines with this run's places: its hosts have the addresses 192.0.2.11, 192.0.2.12 and so on."""
        ports = self.ports
        text = re.sub(r"192\.0\.2\.2\d:2379(,192\.0\.2\.2\d:2379)*", f"127.0.0.1:{ports['etcd']}", text)
        # One certificate of this machine for both.
        for name in ("crt", "key"):
            text = text.replace(f"/etc/patroni/db1.{name}", f"{self.folder}/db{number}/db.{name}")
        for host in (1, 2):
            text = text.replace(f"192.0.2.1{host}:8008", f"127.0.0.1:{ports[f'rest{host}']}")
            text = text.replace(f"192.0.2.1{host}:5432", f"127.0.0.1:{ports[f'db{host}']}")
        text = text.replace("check port 8008", "check")
        text = text.replace("192.0.2.0/24", "127.0.0.1/32")
        text = text.replace("/var/lib/postgresql/15/latchkey", f"{self.folder}/db{number}/data")
        text = text.replace("/usr/lib/postgresql/15/bin", self.tools["postgres"])
        text = text.replace("/etc/pgbouncer", self.folder).replace("/var/run/postgresql", f"{self.folder}/db{number}")
        return re.sub(r"SECRET_OF_(\w+)", lambda found: PASSWORDS[found.group(1).lower()], text)

    def start_patroni(self, number):
        text = self.adapted(block("/etc/patroni/config.yml"), number)
        # This machine has no watchdog; its absence is what is tried here.
        text = text.replace("mode: required", "mode: 'off'").replace("name: db1", f"name: db{number}")
        if number == 2:
            for name in ("rest", "db"):
                text = text.replace(f":{self.ports[name + '1']}", f":{self.ports[name + '2']}")
        folder = f"{self.folder}/db{number}"
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = f"{folder}/config.yml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        for name in ("crt", "key"):
            shutil.copy(f"{self.folder}/db.{name}", folder)
        if AS_NOBODY:
            for made in (folder, path, f"{folder}/db.crt", f"{folder}/db.key"):
                shutil.chown(made, "nobody", "nogroup")
        self.start(f"patroni{number}", [self.tools["patroni"], path], home=folder)

    def start_haproxy(self):
        text = self.adapted(block("/etc/haproxy/haproxy.cfg"), 1)
        # The addresses that are asked are other ports here, and not those that calls go to.
        for number in (1, 2):
            place = f"127.0.0.1:{self.ports[f'db{number}']} check"
            text = text.replace(place, f"{place} port {self.ports[f'rest{number}']}")
        text = text.replace("127.0.0.1:5000", f"127.0.0.1:{self.ports['haproxy']}")
        self.write("haproxy.cfg", text)
        self.start("haproxy", [self.tools["haproxy"], "-db", "-f", f"{self.folder}/haproxy.cfg"])
        # Until it has looked, it takes either for the primary; nodes and pgbouncer would begin with a refusal.
        until("that haproxy knows the primary", lambda: all(self.takes_writes("haproxy") for _ in range(6)))

    def start_pgbouncer(self, retry):
        text = self.adapted(block("/etc/pgbouncer/pgbouncer.ini"), 1)
        text = text.replace("port=5000", f"port={self.ports['haproxy']}")
        text = re.sub(r"listen_port = \d+", f"listen_port = {self.ports['pgbouncer']}", text)
        text = re.sub(r"server_login_retry = \d+", f"server_login_retry = {retry}", text)
        self.write("pgbouncer.ini", text + f"unix_socket_dir =\nlogfile =\npidfile = {self.folder}/pgbouncer.pid\n")
        self.write("userlist.txt", "".join(
            f'"{role}" "{PASSWORDS[role]}"\n' for role in ("latchkey_server", "latchkey_owner")))
        self.start("pgbouncer", [self.tools["pgbouncer"], f"{self.folder}/pgbouncer.ini"])
        until("pgbouncer's start", lambda: self.listens("pgbouncer"))

    def listens(self, name):
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", self.ports[name])) == 0

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if AS_NOBODY:
            shutil.chown(path, "nobody", "nogroup")

    # What Patroni says.

    def status(self, number):
        return json.loads(call(self.ports[f"rest{number}"], "/patroni", limit=2)[1])

    def leader(self):
        for number in (1, 2):
            try:
                if call(self.ports[f"rest{number}"], "/primary", limit=2)[0] == 200:
                    return number
            except OSError:
                pass
        return None

    def is_whole(self, is_synchronous):
        """Whether there is a leader, and a standby that keeps up, synchronous where it has to be."""
        leader = self.leader()
        if not leader:
            return False
        path = "/synchronous" if is_synchronous else "/replica?lag=1MB"
        if call(self.ports[f"rest{3 - leader}"], path, limit=2)[0] != 200:
            return False
        states = self.status(leader).get("replication", [])
        return any(one["state"] == "streaming" and (one["sync_state"] == "sync") == is_synchronous for one in states)

    def set(self, **settings):
        call(self.ports[f"rest{self.leader()}"], "/config", "PATCH", json.dumps(settings))
        until("that synchronous mode is as wanted", lambda: self.is_whole(settings.get("synchronous_mode", True)))

    def sql(self, number, *statements, role="postgres", database="postgres"):
        connection = psycopg2.connect(
            host="127.0.0.1", port=self.ports.get(number) or self.ports[f"db{number}"], user=role, password=PASSWORDS[role], dbname=database,
            connect_timeout=2)
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def takes_writes(self, number):
        try:
            return not self.sql(number, "SELECT pg_is_in_recovery()")[0][0]
        except psycopg2.Error:
            return False

    def kill_postgres(self, number):
        """Ends a server and all its processes at once, as a machine is lost."""
        try:
            with open(f"{self.folder}/db{number}/data/postmaster.pid", encoding="utf-8") as file:
                server = int(file.readline())
            children = subprocess.run(
                ["ps", "-o", "pid=", "--ppid", str(server)], capture_output=True, text=True, check=False).stdout
            for process in [server] + [int(word) for word in children.split()]:
                os.kill(process, signal.SIGKILL)
        except (OSError, ValueError):
            pass

    def stop(self):
        for name in list(self.processes):
            self.kill(name)
        for number in (1, 2):
            self.kill_postgres(number)


class Nodes:
    """Two latchkeyd of one demo, and the boxes that ask them for codes."""

    def __init__(self, folder, programs, cluster):
        self.folder, self.programs, self.cluster = folder, programs, cluster
        self.ports = [free_port(), free_port()]
        self.processes = []
        demo = f"{folder}/one"
        subprocess.run(
            [f"{programs}/latchkeyd", "init", "--demo", "--folder", demo, "--public-url",
             f"http://127.0.0.1:{self.ports[0]}"],
            check=True, stdout=subprocess.DEVNULL)
        with open(f"{demo}/latchkeyd.json5", encoding="utf-8") as file:
            self.original = file.read()
        with open(f"{demo}/demo-key-pair.json", encoding="utf-8") as file:
            self.key_pair = json.load(file)
        shutil.copytree(demo, f"{folder}/two")
        self.configure(self.direct, "sqlite")
        subprocess.run(
            [f"{programs}/latchkeyd", "store", "copy", "--from", "sqlite", "--to", "postgres", "--config",
             f"{demo}/latchkeyd.json5"], check=True, capture_output=True)

    @property
    def direct(self):
        return "host=127.0.0.1,127.0.0.1 port={},{}".format(*(self.cluster.ports[name] for name in ("db1", "db2")))

    def configure(self, place, kind="postgres"):
        passfile, tls = f"dbname=latchkey passfile={self.cluster.passfile}", f"sslrootcert={self.cluster.folder}/db.crt"
        # pgbouncer itself has no certificate here.
        way = "sslmode=disable" if place.endswith(str(self.cluster.ports["pgbouncer"])) else tls
        store = (f'store: {{\nkind: "{kind}",\nconnection: "{place} {way} {passfile} user=latchkey_server",\n'
                 f'migrationConnection: "{self.direct} {tls} {passfile} user=latchkey_owner",')
        for name, port in zip(("one", "two"), self.ports):
            text = re.sub(r"^    store: \{$", lambda _: store, self.original, flags=re.M)
            text = re.sub(r"listen: \[.*\],", f'listen: ["127.0.0.1:{port}"], trustedProxies: ["127.0.0.1"],', text)
            with open(f"{self.folder}/{name}/latchkeyd.json5", "w", encoding="utf-8") as file:
                file.write(text)

    def start(self, place):
        self.stop()
        self.configure(place)
        for name in ("one", "two"):
            with open(f"{self.folder}/{name}.log", "ab") as log:
                self.processes.append(subprocess.Popen(
                    [f"{self.programs}/latchkeyd", "serve", "--config", f"{self.folder}/{name}/latchkeyd.json5"],
                    stdout=log, stderr=log))
        for port in self.ports:
            until("a node's start", lambda port=port: call(port, "/readyz")[0] == 200)

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()
        self.processes = []

    def signed(self, verb, path):
        """The header of a call of a box (rest-v1 7.2)."""
        text = (f"{verb} requestor_id={REQUESTOR}, nonce={uuid.uuid4()}, signature_method=HMAC-SHA1, "
                f"request_time={int(time.time() * 1000)}, request_uri={path}")
        signature = hmac.digest(self.key_pair["privateKey"].encode(), text.encode(), hashlib.sha1)
        return f"{text}, public_key={self.key_pair['publicKey']}, signature={base64.b64encode(signature).decode()}"

    def metric(self, name):
        found = [re.search(rf"^{name} (\S+)$", call(port, "/metrics")[1], re.M) for port in self.ports]
        return [int(one.group(1)) if one else 0 for one in found]


class Load:
    """Boxes that ask for codes at a steady rate, at both nodes."""

    def __init__(self, nodes):
        self.nodes, self.answers, self.is_over = nodes, ([], []), False
        self.threads = [threading.Thread(target=self.run, args=(number, part)) for number in (0, 1) for part in (0, 1)]
        for thread in self.threads:
            thread.start()

    def run(self, number, part):
        count = 0
        while not self.is_over:
            begin, code, path = time.monotonic(), None, f"/reggie/v1/{REQUESTOR}/regcode"
            try:
                status, text = call(
                    self.nodes.ports[number], path, "POST",
                    f"deviceId=box-{number}-{part}-{count}-{random.randrange(10**9)}",
                    {"Authorization": self.nodes.signed("POST", path),
                     "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": somewhere(),
                     "Accept": "application/json"})
                code = json.loads(text)["code"] if status == 201 else None
            except OSError:
                status = 0
            self.answers[number].append((begin, time.monotonic(), status, code))
            count += 1
            time.sleep(max(0, 0.04 - (time.monotonic() - begin)))

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()

    def first_after(self, number, time_of):
        """When the node first gave out a code that it was asked for after a time."""
        return min((end for begin, end, status, _ in self.answers[number] if status == 201 and begin > time_of),
                   default=None)

    def gap(self, after):
        """The longest time after a time that one of the nodes gave out no code."""
        longest = 0
        for answers in self.answers:
            ends = sorted(end for _, end, status, _ in answers if status == 201)
            longest = max([longest] + [late - early for early, late in zip(ends, ends[1:]) if late > after])
        return longest

    def statuses(self):
        return {status for answers in self.answers for _, _, status, _ in answers}

    def lost(self):
        """When those codes were given out that one of the nodes does not know."""
        given = [(end, code) for answers in self.answers for _, end, status, code in answers if code]
        lost = []
        for end, code in given:
            for port in self.nodes.ports:
                # Only 200 is a code that is there; a node that has no answer now is asked again.
                status = until("an answer about a code", lambda port=port, code=code: self.look(port, code))
                if status != 200:
                    lost.append(end)
                    break
        return len(given), lost

    @staticmethod
    def look(port, code):
        status, _ = call(port, f"/reggie/v1/{REQUESTOR}/regcode/{code}", headers={"X-Forwarded-For": somewhere()})
        return status if status in (200, 404) else None


class Trial:
    def __init__(self, cluster, nodes):
        self.cluster, self.nodes = cluster, nodes
        self.passed = self.failed = 0
        self.load = None
        self.rows = []

    def check(self, what, holds):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            say(f"FAILED: {what}")

    def run(self, name, event, synchronous=True, place=None, serves_within=3.0, lost_until=None, wait=8):
        """Lets `event` happen while boxes ask for codes.

        `event` returns the server that takes over, or None where none does. `lost_until` is how long after the promotion
        acknowledged codes may be lost; None for never.
        """
        cluster, nodes = self.cluster, self.nodes
        say(f"== {name} ==")
        until("a whole cluster", lambda: cluster.is_whole(synchronous))
        nodes.start(place or nodes.direct)
        changes = nodes.metric("latchkey_store_primary_changes_total")
        load = self.load = Load(nodes)
        time.sleep(5)
        old = cluster.leader()
        start = time.monotonic()
        new = event(old)
        writable = start
        if new:
            until("a promotion", lambda: cluster.takes_writes(new), limit=150)
            writable = time.monotonic()
        # Where the old server goes on, an answer alone does not say that a node has moved.
        if new:
            until("that both nodes moved", lambda: all(now > before for now, before in zip(
                nodes.metric("latchkey_store_primary_changes_total"), changes)))
        until("that both nodes serve", lambda: all(load.first_after(number, writable) for number in (0, 1)), limit=150)
        served = max(load.first_after(number, writable) for number in (0, 1))
        time.sleep(wait)
        load.end()
        # What an old primary alone knows is lost.
        self.mend()
        for port in nodes.ports:
            until("that the nodes are ready", lambda port=port: call(port, "/readyz")[0] == 200)
        count, lost = load.lost()
        late = [end - writable for end in lost if end > writable]
        row = (name, writable - start if new else None, served - start if new else None, served - writable,
               load.gap(start), len(lost), count, max(late, default=0))
        self.rows.append(row)
        say("writable %s s, nodes serve %.1f s after that, no code for %.1f s, lost %d of %d, the last %.1f s after it" % (
            "%.1f" % row[1] if new else "-", row[3], row[4], row[5], row[6], row[7]))
        self.check(f"{name}: both nodes serve {serves_within} s after PostgreSQL", row[3] <= serves_within)
        if lost_until is None:
            self.check(f"{name}: no acknowledged code is lost", not lost)
        else:
            self.check(f"{name}: only codes of {lost_until} s after the promotion are lost", row[7] <= lost_until)
        self.check(f"{name}: each answer is a code or a 503", load.statuses() <= {201, 503})
        if new:
            changed = [now - before for now, before in zip(
                nodes.metric("latchkey_store_primary_changes_total"), changes)]
            self.check(f"{name}: each node counts one change, not {changed}", changed == [1, 1])
        return load

    def mend(self):
        """Starts again what was killed; an old primary is fenced and joins as a standby."""
        leader = self.cluster.leader()
        for number in (1, 2):
            if f"patroni{number}" not in self.cluster.processes:
                if number != leader:
                    self.cluster.kill_postgres(number)
                self.cluster.start_patroni(number)

    # What happens.

    def patroni_dies(self, leader):
        self.cluster.kill(f"patroni{leader}")
        return 3 - leader

    def machine_dies(self, leader):
        self.cluster.kill(f"patroni{leader}")
        self.cluster.kill_postgres(leader)
        return 3 - leader

    def switches_over(self, leader):
        status, text = call(
            self.cluster.ports[f"rest{leader}"], "/switchover", "POST",
            json.dumps({"leader": f"db{leader}", "candidate": f"db{3 - leader}"}), limit=60)
        if status not in (200, 202):
            raise SystemExit(f"Patroni does not switch over: {status} {text}")
        return 3 - leader

    def loses_etcd(self, _):
        self.cluster.kill("etcd")
        time.sleep(40)
        self.cluster.start_etcd()

    def loses_standby(self, leader):
        self.machine_dies(3 - leader)
        time.sleep(20)
        self.cluster.start_patroni(3 - leader)

    CASES = ("switchover", "failover", "etcd", "etcd-without-failsafe", "strict", "patroni", "asynchronous",
             "failover-asynchronous", "haproxy", "pgbouncer")

    def case(self, name):
        cluster = self.cluster
        through = "host=127.0.0.1 port={}"
        if name == "switchover":
            self.run("switchover, synchronous", self.switches_over)
        elif name == "failover":
            self.run("PostgreSQL and Patroni killed, synchronous", self.machine_dies)
        elif name == "etcd":
            load = self.run("etcd away for 40 s", self.loses_etcd)
            self.check("etcd away: nothing is refused", load.statuses() == {201})
        elif name == "etcd-without-failsafe":
            cluster.set(failsafe_mode=False)
            load = self.run("etcd away for 40 s, without failsafe_mode", self.loses_etcd, serves_within=15)
            self.check("without failsafe_mode: changes are refused meanwhile", 503 in load.statuses())
            cluster.set(failsafe_mode=True)
        elif name == "strict":
            cluster.set(synchronous_mode_strict=True)
            load = self.run("the standby away for 20 s, synchronous_mode_strict", self.loses_standby, serves_within=30)
            self.check("strict: changes are refused meanwhile", 503 in load.statuses())
            cluster.set(synchronous_mode_strict=False)
        elif name == "patroni":
            self.run("Patroni alone killed, synchronous", self.patroni_dies)
        elif name == "asynchronous":
            cluster.set(synchronous_mode=False)
            self.run("Patroni alone killed, asynchronous", self.patroni_dies, synchronous=False, lost_until=2.5)
            until("a whole cluster", lambda: cluster.is_whole(False))
            cluster.set(synchronous_mode=True)
        elif name == "failover-asynchronous":
            cluster.set(synchronous_mode=False)
            self.run("PostgreSQL and Patroni killed, asynchronous", self.machine_dies, synchronous=False, lost_until=0)
            until("a whole cluster", lambda: cluster.is_whole(False))
            cluster.set(synchronous_mode=True)
        elif name == "haproxy":
            cluster.start_haproxy()
            place = through.format(cluster.ports["haproxy"])
            self.run("haproxy, switchover", self.switches_over, place=place, serves_within=6)
            self.run("haproxy, Patroni alone killed", self.patroni_dies, place=place, serves_within=6)
        elif name == "pgbouncer":
            if "haproxy" not in cluster.processes:
                cluster.start_haproxy()
            place = through.format(cluster.ports["pgbouncer"])
            for retry in (15, 1):
                cluster.start_pgbouncer(retry)
                self.run(f"haproxy and pgbouncer, server_login_retry = {retry}, switchover", self.switches_over,
                         place=place, serves_within=20 if retry == 15 else 10)
                cluster.kill("pgbouncer")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--tools", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("cases", nargs="*", help=" ".join(Trial.CASES))
    arguments = parser.parse_args()
    tools = {"postgres": "/usr/lib/postgresql/15/bin"}
    tools.update(word.split("=", 1) for word in arguments.tools)
    for name in ("etcd", "patroni", "haproxy", "pgbouncer"):
        tools.setdefault(name, shutil.which(name) or f"/usr/sbin/{name}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="latchkey-patroni.")
    os.chmod(folder, 0o777)
    cluster, nodes, trial = Cluster(folder, tools), None, None
    try:
        cluster.start_etcd()
        cluster.start_patroni(1)
        until("a leader", lambda: cluster.leader() == 1)
        cluster.start_patroni(2)
        until("a standby", lambda: cluster.is_whole(True))
        cluster.sql(1, "CREATE DATABASE latchkey")
        subprocess.run(
            [f"{tools['postgres']}/psql", "-q", "-h", "127.0.0.1", "-p", str(cluster.ports["db1"]), "-U", "postgres", "-d",
             "latchkey", "-f", os.path.join(HERE, "roles.sql")],
            check=True, env={**os.environ, "PGPASSFILE": cluster.passfile}, stdout=subprocess.DEVNULL)
        cluster.sql(1, *(f"ALTER ROLE {role} PASSWORD '{PASSWORDS[role]}'" for role in (
            "latchkey_server", "latchkey_owner")))
        nodes = Nodes(folder, arguments.programs, cluster)
        trial = Trial(cluster, nodes)
        for name in arguments.cases or Trial.CASES:
            try:
                trial.case(name)
            except (TimeoutError, OSError, psycopg2.Error) as fault:
                trial.check(f"{name}: {fault}", False)
                break
    finally:
        if trial and trial.load:
            trial.load.is_over = True
        if nodes:
            nodes.stop()
        cluster.stop()
        if arguments.keep:
            say(f"The folder is still there: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    for name, writable, served, after, refused, lost, count, last in trial.rows:
        say("| %s | %s | %s | %.1f | %.1f | %d of %d |" % (
            name, "–" if writable is None else "%.1f" % writable, "–" if served is None else "%.1f" % served, after,
            refused, lost, count))
    print(f"{trial.passed} passed, {trial.failed} failed")
    return trial.failed > 0 or trial.passed == 0


if __name__ == "__main__":
    sys.exit(main())
