"""The signed header of REST v1 (rest-v1 7.2), and the clock it needs."""

import base64
import hashlib
import hmac
import re
import threading
import time
from dataclasses import dataclass, field
from typing import Callable

from .errors import BadRequest

__all__ = ["KeyPair", "ServerClock", "signed"]

_KEY = re.compile(r"[A-Za-z0-9\-._~+/=]{1,128}\Z")


@dataclass(frozen=True)
class KeyPair:
    """A box's credentials. ``private_key`` is in no ``repr``.

    Raises ``BadRequest`` for keys that no server issues.
    """

    public_key: str
    private_key: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _KEY.match(self.public_key):
            raise BadRequest("The public key must be 1 to 128 letters, digits and '-._~+/='.")
        if not 1 <= len(self.private_key.encode("utf-8")) <= 256:
            raise BadRequest("The private key must have 1 to 256 bytes.")


def signed(verb: str, requestor: str, nonce: str, now: int, uri: str, pair: KeyPair) -> str:
    """The value of ``Authorization``.

    ``now`` is in milliseconds by the server's clock, ``uri`` the path without query.
    """
    text = (
        f"{verb} requestor_id={requestor}, nonce={nonce}, signature_method=HMAC-SHA1, request_time={now}, "
        f"request_uri={uri}")
    mac = hmac.new(pair.private_key.encode("utf-8"), text.encode("utf-8"), hashlib.sha1).digest()
    return f"{text}, public_key={pair.public_key}, signature={base64.b64encode(mac).decode('ascii')}"


class ServerClock:
    """Knows how far the box's clock is off, from the ``Date`` of every answer (rest-v1 28.1)."""

    #: Less than this is the way of the answer, in milliseconds.
    TOLERANCE = 60_000

    def __init__(self, box: Callable[[], float] = time.time) -> None:
        """``box`` is the box's clock, in seconds since 1970."""
        self._box = box
        self._lock = threading.Lock()
        self._offset = 0

    @property
    def offset(self) -> int:
        """What to add to the box's clock, in milliseconds."""
        with self._lock:
            return self._offset

    @property
    def now(self) -> int:
        """The time by the server's clock, in milliseconds since 1970."""
        return int(self._box() * 1000) + self.offset

    def observe(self, server_time: int) -> None:
        """Takes note of the server's time, in milliseconds since 1970."""
        difference = server_time - int(self._box() * 1000)
        with self._lock:
            self._offset = difference if abs(difference) >= self.TOLERANCE else 0
