"""One HTTP exchange: bounded in time and size, cancellable, over TCP, TLS or a Unix socket. Follows no redirect."""

import base64
import email.utils
import http.client
import json
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Protocol, Tuple

from .cancellation import Cancellation, cut
from .errors import BadAnswer, BadRequest, Cancelled, StateError, Unreachable, Untrusted

__all__ = ["Answer", "Transport", "UnixTransport", "WebTransport"]

#: Far more than any document of a box's endpoints, in bytes.
RESPONSE_LIMIT = 1 << 20
#: How long finding the server may take, in seconds.
CONNECT_TIMEOUT = 10.0
_USER_AGENT = "latchkey-python/0.1.0"


@dataclass(frozen=True)
class Answer:
    """What came back. ``headers`` have lower-case names. Its ``repr`` shows only the status."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"<answer {self.status}>"

    @property
    def date(self) -> Optional[int]:
        """The server's clock, in milliseconds; ``None`` without a readable ``Date``."""
        text = self.headers.get("date", "")
        try:
            return int(email.utils.parsedate_to_datetime(text).timestamp() * 1000)
        except (TypeError, ValueError, OverflowError, IndexError):
            return None

    @property
    def retry_after(self) -> Optional[float]:
        """``Retry-After`` in seconds, from 0 to a day."""
        text = self.headers.get("retry-after", "").strip()
        if not (text.isascii() and text.isdigit() and len(text) <= 5):
            return None
        return float(text) if int(text) <= 86_400 else None

    def document(self) -> Any:
        """The body as JSON.

        Raises ``BadAnswer`` for anything else.
        """
        try:
            return json.loads(self.body.decode("utf-8"))
        except (ValueError, RecursionError):
            raise BadAnswer() from None

    def members(self) -> Dict[str, Any]:
        """The body as a JSON object.

        Raises ``BadAnswer`` for anything else.
        """
        document = self.document()
        if not isinstance(document, dict):
            raise BadAnswer()
        return document


class Transport(Protocol):
    """Sends a request to one server."""

    #: What the server is called in sentences.
    name: str

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float,
        cancellation: Optional[Cancellation],
    ) -> Answer:
        """Sends it and reads the whole answer.

        ``target`` is path and query; ``timeout`` counts seconds, for everything after connecting, which may take as
        long but at most ten.
        Raises ``Unreachable``, ``Untrusted``, ``BadAnswer``, ``Cancelled``.
        """


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class UnixTransport:
    """The way to a server on a Unix socket."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = f"The box's agent ({path})"

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float,
        cancellation: Optional[Cancellation],
    ) -> Answer:
        connection = _UnixConnection(self.path, min(CONNECT_TIMEOUT, timeout))
        return _exchange(connection, self.name, method, target, headers, body, timeout, cancellation)


class WebTransport:
    """The way to a web server: with the certificates of a file or of the system, through the environment's proxies."""

    def __init__(self, url: str, ca_file: Optional[str] = None, insecure: bool = False) -> None:
        """``url`` is the server's address, with a path prefix where it has one; ``insecure`` allows plain http.

        Raises ``BadRequest`` for another address, ``StateError`` for a certificate file that cannot be used.
        """
        try:
            parts = urllib.parse.urlsplit(url)
            port = parts.port
        except ValueError:
            raise BadRequest("The server's address is not a web address.") from None
        host = parts.hostname
        if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment or parts.username:
            raise BadRequest("The server must be an https address without user, query and fragment.")
        self._context: Optional[ssl.SSLContext] = None
        if parts.scheme == "https":
            try:
                self._context = ssl.create_default_context(cafile=ca_file)
            except (OSError, ssl.SSLError) as error:
                raise StateError(f"The certificates in {ca_file} cannot be used: {_reason(error)}.") from None
        elif not insecure:
            raise BadRequest(
                "The server must be an https address: over http everyone in the network could read and change "
                "everything. insecure=True allows it.")
        self._host, self._port = host, port or (443 if self._context else 80)
        self._prefix = parts.path.rstrip("/")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self.base = self._origin + self._prefix
        self.name = f"The server {host}"

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float,
        cancellation: Optional[Cancellation],
    ) -> Answer:
        connection, target, more = self._connection(self._prefix + target, min(CONNECT_TIMEOUT, timeout))
        return _exchange(connection, self.name, method, target, {**headers, **more}, body, timeout, cancellation)

    def _connection(self, target: str, timeout: float) -> Tuple[http.client.HTTPConnection, str, Dict[str, str]]:
        """A connection that is not open yet, what to ask for on it, and what to tell a proxy."""
        host, port, own = self._host, self._port, {"Host": self._origin.partition("://")[2]}
        proxy = urllib.request.getproxies().get("https" if self._context else "http")
        if not proxy or urllib.request.proxy_bypass(f"{host}:{port}"):
            connection = http.client.HTTPConnection(host, port, timeout=timeout)
            if self._context:
                connection = http.client.HTTPSConnection(host, port, timeout=timeout, context=self._context)
            return connection, target, own
        try:
            parts = urllib.parse.urlsplit(proxy if "://" in proxy else f"http://{proxy}")
            proxy_host, proxy_port = parts.hostname, parts.port or 80
        except ValueError:
            proxy_host = None
        if proxy_host is None or parts.scheme != "http":
            raise BadRequest("The proxy in this box's environment is not an http proxy.")
        told = {}
        if parts.username is not None:
            pair = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
            told["Proxy-Authorization"] = "Basic " + base64.b64encode(pair.encode("utf-8")).decode("ascii")
        if self._context:
            tunnel = http.client.HTTPSConnection(proxy_host, proxy_port, timeout=timeout, context=self._context)
            tunnel.set_tunnel(host, port, told)
            return tunnel, target, own
        plain = http.client.HTTPConnection(proxy_host, proxy_port, timeout=timeout)
        return plain, self._origin + target, {**own, **told}


class _Guard:
    """Cuts a connection when its time is over or the call is cancelled."""

    def __init__(self, connection: socket.socket, timeout: float, cancellation: Optional[Cancellation]) -> None:
        self._connection, self._cancellation = connection, cancellation
        self.is_over = False
        self._timer = threading.Timer(timeout, self._end)
        self._timer.daemon = True

    def _end(self) -> None:
        self.is_over = True
        cut(self._connection)

    def __enter__(self) -> "_Guard":
        self._timer.start()
        if self._cancellation:
            self._cancellation.attach(self._connection)
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._cancellation:
            self._cancellation.detach(self._connection)


def _exchange(
    connection: http.client.HTTPConnection, name: str, method: str, target: str, headers: Mapping[str, str],
    body: Optional[bytes], timeout: float, cancellation: Optional[Cancellation],
) -> Answer:
    if cancellation and cancellation.is_cancelled:
        raise Cancelled()
    guard: Optional[_Guard] = None
    try:
        connection.connect()
        assert connection.sock is not None
        # The guard ends a transfer that takes too long as a whole; this one, a read that gets nothing.
        connection.sock.settimeout(timeout)
        with _Guard(connection.sock, timeout, cancellation) as guard:
            connection.request(
                method, target, body, {"User-Agent": _USER_AGENT, "Connection": "close", **headers})
            response = connection.getresponse()
            received = response.read(RESPONSE_LIMIT + 1)
            if guard.is_over:
                raise socket.timeout()
            if len(received) > RESPONSE_LIMIT:
                raise BadAnswer()
            if response.length:
                raise http.client.IncompleteRead(received)
            return Answer(response.status, {key.lower(): value for key, value in response.getheaders()}, received)
    except ssl.SSLCertVerificationError as error:
        raise Untrusted(_untrusted(name, error)) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        if cancellation and cancellation.is_cancelled:
            raise Cancelled() from None
        if isinstance(error, socket.timeout) or (guard and guard.is_over):
            raise Unreachable(f"{name} does not answer in time.") from None
        if isinstance(error, (http.client.IncompleteRead, http.client.RemoteDisconnected)):
            raise Unreachable(f"{name} broke off the connection.") from None
        if isinstance(error, (http.client.HTTPException, ValueError)):
            raise BadAnswer() from None
        raise Unreachable(f"{name} cannot be reached: {_reason(error)}.") from None
    finally:
        connection.close()


def _reason(error: OSError) -> str:
    """The system's words for an error, without numbers and file names."""
    return (error.strerror or str(error) or type(error).__name__).rstrip(".")


def _untrusted(name: str, error: ssl.SSLCertVerificationError) -> str:
    """The sentence for a certificate that does not verify. OpenSSL: 9 is not valid yet, 10 is expired."""
    if error.verify_code in (9, 10):
        now = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
        return f"{name} has a certificate that is not valid at this box's time, {now} UTC. Is the clock right?"
    return f"{name} has a certificate that is not trusted ({error.verify_message}). This may not be the real server."
