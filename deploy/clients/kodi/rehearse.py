"""The steps of deploy/clients/kodi/rehearse."""

import glob
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from typing import Any, Callable, List, Optional

from PIL import ImageGrab

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python/tests"))

from support import DemoServer  # noqa: E402

#: Kodi's own port for commands; it takes no other.
PORT = 9090
#: Nothing is waited for longer, in seconds.
PATIENCE = 90.0
#: Debian's program, without the script around it that starts Kodi anew when it ends badly.
KODI = [*glob.glob("/usr/lib/*/kodi/kodi.bin"), "kodi"][0]


class Stream(http.server.ThreadingHTTPServer):
    """Where the stream is played from; keeps what was asked for."""

    def __init__(self) -> None:
        self.asked: List[str] = []
        super().__init__(("127.0.0.1", 0), _StreamCall)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _StreamCall(http.server.BaseHTTPRequestHandler):
    server: Stream

    def do_GET(self) -> None:  # noqa: N802
        self.server.asked.append(self.path)
        self.send_error(404)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


class Kodi:
    """A Kodi in a home of its own."""

    def __init__(self, home: pathlib.Path, pictures: Optional[pathlib.Path]) -> None:
        self.home, self.pictures, self.picture = home, pictures, home / "screen.png"
        reader, writer = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x720x24", "-nolisten", "tcp"], pass_fds=[writer],
            stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as told:
            self.display = ":" + told.readline().strip()
        self.process = subprocess.Popen(
            [KODI, "--standalone", "--windowing=x11", "--debug"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(home), "DISPLAY": self.display, "LIBGL_ALWAYS_SOFTWARE": "1"})

    def call(self, method: str, **parameters: Any) -> Any:
        """A command; ``None`` while Kodi does not answer."""
        try:
            with socket.create_connection(("127.0.0.1", PORT), 5) as connection:
                connection.settimeout(5)
                connection.sendall(json.dumps(
                    {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode("utf-8"))
                received = ""
                while True:
                    received += connection.recv(65_536).decode("utf-8")
                    rest = received
                    # Its notes come on the same connection.
                    while rest:
                        try:
                            document, end = json.JSONDecoder().raw_decode(rest)
                        except ValueError:
                            break
                        if document.get("id") == 1:
                            return document.get("result")
                        rest = rest[end:]
        except OSError:
            return None

    def run(self, *words: str) -> None:
        """Runs the add-on's script."""
        self.call("Addons.ExecuteAddon", addonid="script.latchkey", params=list(words), wait=False)

    def property(self) -> str:
        """What the add-on tells others."""
        label = "Window(Home).Property(latchkey.signed_in)"
        found = self.call("XBMC.GetInfoLabels", labels=[label]) or {}
        return str(found.get(label, ""))

    def is_at_home(self) -> bool:
        """Whether no dialog is open."""
        found = self.call("GUI.GetProperties", properties=["currentwindow"]) or {}
        return found.get("currentwindow", {}).get("id") == 10000

    def address_on_screen(self) -> str:
        """What a phone would read off the screen; empty for nothing."""
        ImageGrab.grab(xdisplay=self.display).save(self.picture)
        done = subprocess.run(
            ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", str(self.picture)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode("utf-8").strip()

    def keep_picture(self, name: str) -> None:
        """Leaves a picture of the screen where the caller wants it."""
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            ImageGrab.grab(xdisplay=self.display).save(self.pictures / f"{name}.png")

    def end(self) -> None:
        """Ends both by force, where they did not end by themselves."""
        for process in (self.process, self.screen):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


class Rehearsal:
    """Counts the steps."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def step(self, name: str, holds: Callable[[], Any]) -> Any:
        """Waits for something; returns it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = holds()
            if found:
                self.passed += 1
                print(f"ok      {name}", file=sys.stderr)
                return found
            time.sleep(0.3)
        self.failed += 1
        raise TimeoutError(f"{name}: not within {PATIENCE:.0f} seconds")


def main(pictures: Optional[pathlib.Path]) -> Rehearsal:
    """Plays it through."""
    rehearsal = Rehearsal()
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", PORT)) == 0:
            raise SystemExit(f"Something listens on port {PORT} already; Kodi needs it.")
    server, stream = DemoServer(), Stream()
    home = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-kodi."))
    kodi: Optional[Kodi] = None
    try:
        subprocess.run([str(HERE / "build"), str(home / ".kodi/addons")], stdout=subprocess.DEVNULL, check=True)
        settings = home / ".kodi/userdata/addon_data/script.latchkey/settings.xml"
        settings.parent.mkdir(parents=True)
        values = {
            "way": "1", "requestor": "DEMO", "server": server.url, "credentials": server.key_file, "insecure": "true",
            "resource": "Demo One", "stream": f"http://127.0.0.1:{stream.server_address[1]}/live.ts?t={{token}}"}
        settings.write_text("<settings version=\"2\">" + "".join(
            f'<setting id="{name}">{value}</setting>' for name, value in values.items()) + "</settings>")
        kodi = Kodi(home, pictures)
        play_through(rehearsal, kodi, server, stream)
    except TimeoutError as error:
        print(f"failed  {error}", file=sys.stderr)
        if kodi:
            kodi.keep_picture("failed")
    finally:
        if kodi:
            kodi.end()
        stream.shutdown()
        stream.server_close()
        server.close()
        shutil.rmtree(home)
    return rehearsal


def play_through(rehearsal: Rehearsal, kodi: Kodi, server: DemoServer, stream: Stream) -> None:
    """The steps themselves."""
    step = rehearsal.step
    step("Kodi answers", lambda: kodi.call("JSONRPC.Ping") == "pong")
    step("the add-on is there", lambda: kodi.call("Addons.SetAddonEnabled", addonid="script.latchkey", enabled=True))
    step("the service says that nobody is signed in", lambda: kodi.property() == "false")
    kodi.run("pair")
    address = step("the QR picture is read off the screen", kodi.address_on_screen)
    kodi.keep_picture("pairing")
    step("it leads to the server's page", lambda: address.startswith(f"{server.url}/activate?code="))
    step("the phone confirms the box", lambda: server.phone(address).wait() == 0)
    step("the add-on says that the box is signed in", lambda: kodi.property() == "true")
    kodi.keep_picture("signed-in")
    kodi.run("play")
    step("the stream is asked for", lambda: stream.asked)
    token = urllib.parse.parse_qs(urllib.parse.urlsplit(stream.asked[0]).query)["t"][0]
    step("with a valid token", lambda: server.verify(token, "Demo One") == "VALID_TOKEN")
    # Kodi says that the stream is none, which is right, and waits for an answer.
    step("Kodi's own message is away", lambda: kodi.call("Input.Back") and kodi.is_at_home())
    kodi.run("logout")
    step("the add-on says that the box is signed out", lambda: kodi.property() == "false")
    kodi.run("pair")
    second = step("another code is shown", kodi.address_on_screen)
    kodi.call("Application.Quit")
    step("Kodi ends with the dialog open", lambda: kodi.process.poll() is not None)
    log = (kodi.home / ".kodi/temp/kodi.log").read_text("utf-8", "replace")
    codes = [text.partition("code=")[2] for text in (address, second)]
    step("no code is in Kodi's log", lambda: not any(code in log for code in codes))
    step("no script had to be ended, and none failed", lambda: "let's kill it" not in log and "Traceback" not in log)
    left = os.listdir(kodi.home / ".kodi/userdata/addon_data/script.latchkey")
    step("no picture is left", lambda: not any(name.endswith(".png") for name in left))


if __name__ == "__main__":
    found = main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    print(f"{found.passed} passed, {found.failed} failed")
    sys.exit(1 if found.failed else 0)
