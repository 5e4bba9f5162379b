"""One exchange with servers that behave badly: sockets for real, each answer made by hand."""

import pathlib
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from typing import Dict, List, Optional, Tuple
from unittest import mock

from support import LIMIT, cancel_after, latchkey
from latchkey import transport
from latchkey.transport import Answer, WebTransport

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class RawServer:
    """Takes one connection after the other, reads a request, and sends bytes; with `None` it never answers."""

    def __init__(self, *answers: Optional[bytes], context: Optional[ssl.SSLContext] = None) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.requests: List[bytes] = []
        self.answers, self.context = list(answers), context
        self.asked = threading.Event()
        self.release = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        for answer in self.answers:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            with connection:
                try:
                    if self.context:
                        connection = self.context.wrap_socket(connection, server_side=True)
                    request = b""
                    while b"\r\n\r\n" not in request:
                        more = connection.recv(65536)
                        if not more:
                            break
                        request += more
                    self.requests.append(request)
                    self.asked.set()
                    if answer is None:
                        self.release.wait(LIMIT)
                    else:
                        connection.sendall(answer)
                except OSError:
                    pass
                finally:
                    connection.close()

    def close(self) -> None:
        self.release.set()
        # This, and not closing, wakes a thread that accepts.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(LIMIT)


class Servers(unittest.TestCase):
    """What the tests below share: no proxy in the environment, where they do not name one, and servers of their own."""

    def setUp(self) -> None:
        patched = mock.patch.dict("os.environ", clear=True)
        patched.start()
        self.addCleanup(patched.stop)

    def server(self, *answers: Optional[bytes], context: Optional[ssl.SSLContext] = None) -> RawServer:
        server = RawServer(*answers, context=context)
        self.addCleanup(server.close)
        return server


class Exchanges(Servers):
    """Over plain http."""

    def get(
        self, server: RawServer, target: str = "/", timeout: float = LIMIT,
        cancellation: Optional[latchkey.Cancellation] = None,
    ) -> Answer:
        web = WebTransport(f"http://127.0.0.1:{server.port}", insecure=True)
        return web.send("GET", target, {"Authorization": "x"}, None, timeout, cancellation)

    def test_status_headers_and_body_come_back(self) -> None:
        server = self.server(b"HTTP/1.1 404 Not Found\r\nLatchkey-Code-State: waiting\r\nContent-Length: 2\r\n\r\n{}")
        answer = self.get(server, "/a?b=c")
        self.assertEqual((answer.status, answer.headers["latchkey-code-state"], answer.body), (404, "waiting", b"{}"))
        self.assertIn(b"GET /a?b=c HTTP/1.1\r\n", server.requests[0])
        self.assertNotIn("{", repr(answer))

    def test_no_redirect_is_followed(self) -> None:
        server = self.server(b"HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n", OK)
        self.assertEqual(self.get(server).status, 302)
        self.assertEqual(len(server.requests), 1)

    def test_an_endless_answer_is_not_read(self) -> None:
        for head in (b"", b"Content-Length: 9000000\r\n"):
            server = self.server(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + b" " * (transport.RESPONSE_LIMIT + 1))
            with self.assertRaises(latchkey.BadAnswer):
                self.get(server)

    def test_a_broken_answer_is_not_taken_for_a_whole_one(self) -> None:
        server = self.server(
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", b"",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")
        for _ in range(3):
            with self.assertRaisesRegex(latchkey.Unreachable, "broke off"):
                self.get(server)

    def test_what_is_no_http_is_a_bad_answer(self) -> None:
        server = self.server(b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n")
        for _ in range(2):
            with self.assertRaises(latchkey.BadAnswer):
                self.get(server)

    def test_a_silent_server_is_given_up(self) -> None:
        with self.assertRaisesRegex(latchkey.Unreachable, "in time"):
            self.get(self.server(None), timeout=0.05)

    def test_cancelling_ends_a_question_under_way(self) -> None:
        server = self.server(None)
        cancellation = latchkey.Cancellation()
        watcher = threading.Thread(target=cancel_after, args=(server.asked, cancellation))
        watcher.start()
        with self.assertRaises(latchkey.Cancelled):
            self.get(server, cancellation=cancellation)
        watcher.join()
        with self.assertRaises(latchkey.Cancelled):
            self.get(server, cancellation=cancellation)
        self.assertEqual(len(server.requests), 1)

    def test_nobody_there_is_unreachable(self) -> None:
        server = RawServer()
        server.close()
        with self.assertRaisesRegex(latchkey.Unreachable, "127.0.0.1 cannot be reached: Connection refused"):
            self.get(server)
        with self.assertRaisesRegex(latchkey.Unreachable, "cannot be reached"):
            transport.UnixTransport("/nonexistent/agent.sock").send("GET", "/", {}, None, 1, None)

    def test_the_proxy_of_the_environment_is_used(self) -> None:
        proxy = self.server(OK, OK)
        with mock.patch.dict("os.environ", {"http_proxy": f"http://me:p%40ss@127.0.0.1:{proxy.port}"}):
            WebTransport("http://tv.example", insecure=True).send("GET", "/x", {}, None, LIMIT, None)
        self.assertIn(b"GET http://tv.example/x HTTP/1.1\r\n", proxy.requests[0])
        self.assertIn(b"Host: tv.example\r\n", proxy.requests[0])
        self.assertIn(b"Proxy-Authorization: Basic bWU6cEBzcw==\r\n", proxy.requests[0])

    def test_no_proxy_goes_past_the_proxy(self) -> None:
        server = self.server(OK)
        with mock.patch.dict("os.environ", {"http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.1"}):
            self.assertEqual(self.get(server).status, 200)

    def test_https_asks_the_proxy_for_a_tunnel(self) -> None:
        proxy = self.server(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        with mock.patch.dict("os.environ", {"https_proxy": f"127.0.0.1:{proxy.port}"}):
            with self.assertRaises(latchkey.Unreachable):
                WebTransport("https://tv.example").send("GET", "/x", {"Authorization": "s"}, None, LIMIT, None)
        self.assertTrue(proxy.requests[0].startswith(b"CONNECT tv.example:443 "))
        self.assertNotIn(b"Authorization", proxy.requests[0])

    def test_addresses_that_no_box_should_have_are_refused(self) -> None:
        for url in ("tv.example", "ftp://tv.example", "https://u@tv.example", "https://tv.example/?a", "https://a:b",
                    "https://", "http://tv.example"):
            with self.subTest(url=url), self.assertRaises(latchkey.BadRequest):
                WebTransport(url)

    def test_a_path_prefix_is_kept(self) -> None:
        server = self.server(OK)
        WebTransport(f"http://127.0.0.1:{server.port}/tv/", insecure=True).send("GET", "/x", {}, None, LIMIT, None)
        self.assertIn(b"GET /tv/x ", server.requests[0])


class Certificates(Servers):
    """A certificate of a CA of our own."""

    #: Certificate and key, by name.
    files: Dict[str, Tuple[str, str]] = {}

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        place = pathlib.Path(folder.name)
        (place / "index").touch()
        (place / "serial").write_text("01\n")
        (place / "ca.cnf").write_text(
            f"[ca]\ndefault_ca=own\n[own]\nnew_certs_dir={place}\ndatabase={place}/index\nserial={place}/serial\n"
            "default_md=sha256\npolicy=any\nunique_subject=no\nx509_extensions=names\n[any]\ncommonName=supplied\n"
            "[names]\nsubjectAltName=DNS:localhost\n[req]\ndistinguished_name=any\n")

        def openssl(*arguments: str) -> None:
            subprocess.run(
                ["openssl", *arguments, "-config", str(place / "ca.cnf")], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, check=True, timeout=LIMIT)

        for name, end in (("good", "20991231235959Z"), ("over", "20200102000000Z")):
            key, request, certificate = (str(place / f"{name}.{kind}") for kind in ("key", "csr", "pem"))
            openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key,
                    "-out", request)
            openssl("ca", "-batch", "-selfsign", "-keyfile", key, "-in", request, "-out", certificate, "-startdate",
                    "20200101000000Z", "-enddate", end)
            cls.files[name] = (certificate, key)

    def tls(self, name: str, *answers: Optional[bytes]) -> RawServer:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.files[name])
        return self.server(*answers, context=context)

    def ask(self, server: RawServer, host: str = "localhost", ca_file: Optional[str] = None) -> Answer:
        web = WebTransport(f"https://{host}:{server.port}", ca_file)
        return web.send("GET", "/", {}, None, LIMIT, None)

    def test_a_file_of_ones_own_is_trusted(self) -> None:
        self.assertEqual(self.ask(self.tls("good", OK), ca_file=self.files["good"][0]).status, 200)

    def test_others_are_not(self) -> None:
        server = self.tls("good", OK, OK)
        with self.assertRaisesRegex(latchkey.Untrusted, "not trusted"):
            self.ask(server)
        with self.assertRaisesRegex(latchkey.Untrusted, "not trusted"):
            self.ask(server, "127.0.0.1", self.files["good"][0])

    def test_a_certificate_outside_its_time_makes_one_think_of_the_clock(self) -> None:
        with self.assertRaisesRegex(latchkey.Untrusted, "Is the clock right"):
            self.ask(self.tls("over", OK), ca_file=self.files["over"][0])

    def test_a_file_without_certificates_is_said_to_be_so(self) -> None:
        for path in ("/nonexistent", "/etc/passwd"):
            with self.assertRaisesRegex(latchkey.StateError, path):
                WebTransport("https://tv.example", path)
