"""Signed requests to one server, and what its failures mean (rest-v1 7, 8)."""

import random
import secrets
import urllib.parse
from typing import Mapping, Optional

from . import reading
from .cancellation import Cancellation
from .errors import (
    BadAnswer, BadRequest, Cancelled, CredentialsRefused, LatchkeyError, NotAuthorized, NotSignedIn, ServerFault,
    Throttled, Unreachable)
from .signing import KeyPair, ServerClock, signed
from .transport import Answer, Transport

__all__ = ["Wire"]

#: Seconds before each repetition of a call that did not get through.
_PAUSES = (0.5, 2.0)
#: The longest pause that a throttling server is granted within a call, in seconds.
_LONGEST_BACK_OFF = 5.0
_TIMEOUT = 20.0


class Wire:
    """Sends the calls of one box for one requestor. Its ``repr`` shows no key."""

    def __init__(
        self, transport: Transport, clock: ServerClock, requestor: str, device_id: str, key_pair: KeyPair,
        device_information: str,
    ) -> None:
        """``device_information`` is the value of ``X-Device-Info``."""
        self.clock, self.requestor = clock, requestor
        self._transport, self._device_id, self._key_pair = transport, device_id, key_pair
        self._device_information = device_information

    def call(
        self, method: str, path: str, query: Optional[Mapping[str, str]] = None, *,
        form: Optional[Mapping[str, str]] = None, headers: Optional[Mapping[str, str]] = None,
        cancel: Optional[Cancellation] = None, timeout: float = _TIMEOUT, repeats: bool = True,
    ) -> Answer:
        """Sends a signed request and returns the answer, whatever its status.

        Sends it again with the clock set right and, where it ``repeats``, twice more when it did not get through.
        ``timeout`` is in seconds.
        Raises ``Unreachable``, ``Untrusted``, ``BadAnswer``, ``Cancelled``.
        """
        pauses = list(_PAUSES) if repeats else []
        is_clock_tried = False
        while True:
            offset = self.clock.offset
            pause: float
            try:
                answer = self._send(method, path, query, form, headers, cancel, timeout)
                if answer.status == 401 and not is_clock_tried and self.clock.offset != offset:
                    is_clock_tried = True
                    continue
                wait = max(pauses[0], answer.retry_after or 0.0) if pauses else _LONGEST_BACK_OFF + 1
                if answer.status != 429 or wait > _LONGEST_BACK_OFF:
                    return answer
                pause = wait
            except Unreachable:
                if not pauses:
                    raise
                pause = pauses[0] * (1 + 0.5 * random.random())
            del pauses[0]
            if (cancel or Cancellation()).wait(pause):
                raise Cancelled()

    def _send(
        self, method: str, path: str, query: Optional[Mapping[str, str]], form: Optional[Mapping[str, str]],
        headers: Optional[Mapping[str, str]], cancel: Optional[Cancellation], timeout: float,
    ) -> Answer:
        own = {"requestor": self.requestor, "deviceId": self._device_id}
        body: Optional[bytes] = None
        told = {
            "Accept": "application/json", "X-Device-Info": self._device_information,
            "Authorization": signed(
                method, self.requestor, secrets.token_hex(16), self.clock.now, path, self._key_pair),
            **(headers or {}),
        }
        target = path
        if form is not None:
            told["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode({**own, **form}).encode("ascii")
        else:
            target += "?" + urllib.parse.urlencode({**own, **(query or {})}, quote_via=urllib.parse.quote)
        answer = self._transport.send(method, target, told, body, timeout, cancel)
        if answer.date is not None:
            self.clock.observe(answer.date)
        return answer

    def error(self, answer: Answer, resource: Optional[str] = None) -> LatchkeyError:
        """The error for an answer that is not the wanted one (rest-v1 8)."""
        try:
            members = answer.members()
        except BadAnswer:
            members = {}
        message = reading.optional_text(members, "message")
        code = reading.optional_text(members, "code") or ""
        if answer.status == 401:
            return CredentialsRefused()
        if answer.status == 429:
            return Throttled(answer.retry_after)
        if answer.status >= 500:
            return ServerFault(answer.status)
        if answer.status == 412 or message == "User not authenticated" or members.get("action") == "authentication":
            return NotSignedIn(reason="expired" if code.endswith("_expired") else None)
        if answer.status == 403 and resource is not None:
            return NotAuthorized(resource, reading.optional_text(members, "details"))
        if answer.status == 403 and (code == "too_many_resources" or message == "Too many resources"):
            return BadRequest("The server takes fewer resources at once.", "too_many_resources")
        if answer.status == 403:
            return CredentialsRefused()
        if 400 <= answer.status < 500:
            return BadRequest(f"The server refuses the request: {message or answer.status}.", code or "bad_request")
        return BadAnswer()
