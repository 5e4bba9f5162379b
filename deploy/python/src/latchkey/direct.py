"""Without an agent: the signed endpoints of REST v1 (rest-v1 11 to 19), straight from the add-on."""

import base64
import json
import random
import re
import secrets
import threading
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar

from . import qr, reading
from .cancellation import Cancellation
from .client import Client
from .errors import (
    AlreadySignedIn, BadAnswer, BadRequest, Cancelled, CredentialsRefused, LatchkeyError, NotAuthorized, NotSignedIn,
    ServerFault, StateError, Throttled, Unreachable)
from .model import (
    JSON, Approved, Authorization, Code, CodeExpired, CodeIssued, CodeWithdrawn, Confirming, Decision, Declined, Event,
    MediaToken, PageLeft, PageOpened, Provider, ProviderRefused, Reachable, SignInState, SlowDown, Status, Unanswered)
from .polling import PollingSchedule
from .signing import KeyPair, ServerClock, signed
from .state import StateFile
from .transport import Answer, Transport, WebTransport

__all__ = ["DeviceInformation", "DirectClient"]

#: Seconds before each repetition of a call that did not get through.
_PAUSES = (0.5, 2.0)
#: The longest pause that a throttling server is granted within a call, in seconds.
_LONGEST_BACK_OFF = 5.0
#: How many resources most servers take in one question for locks.
_PREAUTHORIZATION_BATCH = 5
_PROVIDERS_KEPT = 300.0
_TIMEOUT = 20.0
#: Failures in a row that are worth telling.
_PROBLEM = 3
#: What the server's words for a code that is not over mean.
_PROGRESS: Dict[str, Event] = {
    "waiting": PageLeft(), "opened": PageOpened(), "loggingIn": PageOpened(), "confirming": Confirming()}
#: A short address as the server makes them: what a QR picture holds most densely.
_SHORT = re.compile(r"HTTPS?://[0-9A-Z.:\[\]/-]{1,240}\Z")
#: Seconds: codes that live shorter are not renewed at once, so that a faulty server is not asked without end.
_SHORTEST_LIFE = 15.0
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class DeviceInformation:
    """What the viewer is shown of the box before confirming it (rest-v1 5). Empty members are not sent."""

    model: str = "Linux box"
    manufacturer: str = ""
    version: str = ""
    application_id: str = "latchkey-python"

    @property
    def header(self) -> str:
        """The value of ``X-Device-Info``."""
        members = {
            "primaryHardwareType": "SetTopBox", "model": self.model, "manufacturer": self.manufacturer,
            "version": self.version, "osName": "Linux", "osFamily": "Linux", "applicationId": self.application_id,
        }
        text = json.dumps({name: value[:256] for name, value in members.items() if value}, separators=(",", ":"))
        return base64.b64encode(text.encode("utf-8")).decode("ascii")


class _Watch:
    """What the server's answers tell of one code."""

    def __init__(self) -> None:
        #: How far it is, in the server's words; ``None`` while it does not say.
        self.state: Optional[str] = None
        #: Whether the server is one that says.
        self.tells_states = False
        self.was_opened = False
        #: Whether its time is over.
        self.is_over = False
        self._refusal: Optional[str] = None

    def consider(self, answer: Answer) -> List[Event]:
        """The news in an answer with the status 200, 404 or 410."""
        if answer.status == 200:
            members = answer.members()
            return [Approved(reading.text(members, "mvpd"), reading.milliseconds(members, "expires"))]
        told = answer.headers.get("latchkey-code-state")
        self.tells_states = self.tells_states or told is not None
        # A server that knew the code and does not any more forgot it when its time was over.
        self.is_over = told == "expired" or (told is None and self.state is not None)
        # Completed, and yet no sign-in: the box was signed in with it, and is not any more.
        ends: Dict[Optional[str], Event] = {
            "declined": Declined(), "cancelled": CodeWithdrawn(), "completed": CodeExpired()}
        if told in ends:
            return [ends[told]]
        return [] if self.is_over else self._progress(told, answer)

    def _progress(self, told: Optional[str], answer: Answer) -> List[Event]:
        if told == "waiting" and answer.headers.get("latchkey-code-opened") == "true":
            told = "opened"
        news: List[Event] = []
        step, last = _PROGRESS.get(told or ""), _PROGRESS.get(self.state or "waiting")
        if step and step != last:
            news.append(step)
        self.state = told
        self.was_opened = self.was_opened or told in ("opened", "loggingIn", "confirming")
        reason = urllib.parse.unquote(answer.headers.get("latchkey-provider-reason", "")) or None
        if reason is not None and reason != self._refusal:
            news.append(ProviderRefused(reason))
        self._refusal = reason
        return news


@dataclass(frozen=True)
class _Pairing:
    """A code on show, and how far it got."""

    code: Code
    schedule: PollingSchedule


class DirectClient(Client):
    """A client that speaks to the server itself; :class:`~latchkey.client.Client` says what the calls do.

    It is the only one that knows the box's key pair; where other programs of the box want the same sign-in, let an
    agent have it. A code is not taken up again after a restart: the next pairing shows a new one.
    """

    def __init__(
        self, server: str, requestor: str, state: StateFile, key_pair: Optional[KeyPair] = None, *,
        ca_file: Optional[str] = None, insecure: bool = False, activation_url: Optional[str] = None,
        device: DeviceInformation = DeviceInformation(), code_lifetime: int = 1800, renews: bool = True,
        interval: float = 5.0, transport: Optional[Transport] = None, clock: Optional[ServerClock] = None,
    ) -> None:
        """
        - ``server``: the address, https unless ``insecure``; ``ca_file`` trusts the certificates in that file instead
          of the system's.
        - ``key_pair``: is kept in the state file; left out, the one that is kept there counts.
        - ``activation_url``: the page where codes are entered, when the server does not name one.
        - ``code_lifetime``: seconds, 1 to 36,000. ``renews``: whether a code that nobody opened is followed by another.
        - ``interval``: seconds between questions, for servers that do not hold them.

        Raises ``BadRequest``, ``StateError``.
        """
        if not 1 <= code_lifetime <= 36_000:
            raise BadRequest("A code lives for 1 to 36000 seconds.")
        self._requestor = reading.checked_requestor(requestor)
        web = WebTransport(server, ca_file, insecure)
        self._base = web.base
        self._transport: Transport = transport or web
        self._activation_url = activation_url
        self._device_header = device.header
        self._code_lifetime, self._renews, self._interval = code_lifetime, renews, interval
        self._clock = clock or ServerClock()
        kept = state.keep(key_pair) if key_pair else state.load()
        if kept.key_pair is None:
            raise StateError(f"There is no key pair for {requestor}: neither given nor in {state.path}.")
        self._device_id, self._key_pair = kept.device_id, kept.key_pair
        self._lock = threading.Lock()
        self._decisions: Dict[str, int] = {}
        self._known_providers: Tuple[float, List[Provider]] = (-_PROVIDERS_KEPT, [])

    def __repr__(self) -> str:
        return f"<DirectClient {self._base} {self._requestor}>"

    @property
    def requestor(self) -> str:
        return self._requestor

    # What is known of the sign-in

    def status(self) -> Status:
        return self._status(None)

    def _status(self, cancel: Optional[Cancellation]) -> Status:
        answer = self._call("GET", "/api/v1/tokens/authn", cancel=cancel)
        if answer.status == 200:
            members = answer.members()
            mvpd, expires = reading.text(members, "mvpd"), reading.milliseconds(members, "expires")
            return Status(self._requestor, SignInState.SIGNED_IN, mvpd, self._name(mvpd), expires)
        if answer.status not in (404, 410):
            raise self._error(answer)
        reason = "expired" if answer.status == 410 else None
        return Status(self._requestor, SignInState.SIGNED_OUT, reason=reason)

    def providers(self) -> List[Provider]:
        answer = self._call("GET", f"/api/v1/config/{self._requestor}")
        if answer.status != 200:
            raise self._error(answer)
        members: Any = answer.members()
        for name in ("requestor", "mvpds"):
            members = members.get(name)
            if not isinstance(members, dict):
                raise BadAnswer()
        found = [
            Provider(reading.text(item, "id"), reading.text(item, "displayName"))
            for item in reading.objects(members, "mvpd")
        ]
        with self._lock:
            self._known_providers = (time.monotonic(), found)
        return list(found)

    def _name(self, mvpd: str) -> Optional[str]:
        """What people call a provider; ``None`` when the list cannot be had now."""
        with self._lock:
            at, known = self._known_providers
        try:
            if time.monotonic() - at >= _PROVIDERS_KEPT:
                known = self.providers()
        except LatchkeyError:
            pass
        return next((provider.name for provider in known if provider.id == mvpd), None)

    def metadata(self, key: str) -> JSON:
        answer = self._call("GET", "/api/v1/tokens/usermetadata")
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise self._error(answer)
        data = answer.members().get("data")
        if not isinstance(data, dict):
            raise BadAnswer()
        value: JSON = data.get(key)
        return value

    # What the viewer may play

    def authorize(self, resource: str) -> Authorization:
        checked = reading.checked_resource(resource)
        answer = self._call("GET", "/api/v1/authorize", {"resource": checked})
        if answer.status != 200:
            with self._lock:
                self._decisions.pop(checked, None)
            raise self._error(answer, checked)
        expires = reading.milliseconds(answer.members(), "expires")
        with self._lock:
            self._decisions[checked] = expires
        return Authorization(checked, expires)

    def media_token(self, resource: str) -> MediaToken:
        checked = reading.checked_resource(resource)
        with self._lock:
            is_decided = self._decisions.get(checked, 0) > self._clock.now
        if not is_decided:
            self.authorize(checked)
        answer = self._call("GET", "/api/v1/tokens/media", {"resource": checked})
        if answer.status == 403 and is_decided:
            # The decision ended before its time.
            self.authorize(checked)
            answer = self._call("GET", "/api/v1/tokens/media", {"resource": checked})
        if answer.status != 200:
            raise self._error(answer, checked)
        members = answer.members()
        return MediaToken(checked, reading.text(members, "serializedToken"), reading.milliseconds(members, "expires"))

    def preauthorize(self, resources: Sequence[str]) -> List[Decision]:
        checked = reading.checked_resources(list(resources))
        if any("," in resource for resource in checked):
            raise BadRequest("A resource with a comma in its name cannot be asked about without an agent.")
        found: Dict[str, Decision] = {}
        distinct = list(dict.fromkeys(resource.strip() for resource in checked))
        for start in range(0, len(distinct), _PREAUTHORIZATION_BATCH):
            batch = distinct[start:start + _PREAUTHORIZATION_BATCH]
            answer = self._call("GET", "/api/v1/preauthorize", {"resource": ",".join(batch)})
            if answer.status != 200:
                raise self._error(answer)
            for item in reading.objects(answer.members(), "resources"):
                error = item.get("error")
                message = None
                if isinstance(error, dict):
                    message = reading.optional_text(error, "details") or reading.optional_text(error, "message")
                name = reading.text(item, "id")
                found[name] = Decision(name, item.get("authorized") is True, message)
        return [found.get(resource.strip(), Decision(resource, False)) for resource in checked]

    def logout(self) -> None:
        answer = self._call("DELETE", "/api/v1/logout")
        if answer.status != 204:
            raise self._error(answer)
        with self._lock:
            self._decisions.clear()

    # Pairing

    def pair(self, mvpd: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Iterator[Event]:
        cancellation = cancel or Cancellation()
        pairing: Optional[_Pairing] = None
        try:
            yield from self._until_answered(lambda: self._require_signed_out(cancellation), cancellation)
            short_lives = 0
            while True:
                pairing = yield from self._until_answered(lambda: self._new_code(mvpd, cancellation), cancellation)
                shown_at = time.monotonic()
                yield CodeIssued(pairing.code)
                is_renewed = yield from self._wait_for(pairing, cancellation)
                if not is_renewed:
                    return
                short_lives = short_lives + 1 if time.monotonic() - shown_at < _SHORTEST_LIFE else 0
                if short_lives and cancellation.wait(min(2.0 ** (short_lives - 1), 60.0)):
                    raise Cancelled()
        except Cancelled:
            if pairing:
                self._withdraw(pairing.code.code)
            yield CodeWithdrawn()

    def _require_signed_out(self, cancel: Cancellation) -> None:
        if self._status(cancel).is_signed_in:
            raise AlreadySignedIn()

    def _until_answered(self, call: Callable[[], _Result], cancel: Cancellation) -> Generator[Event, None, _Result]:
        """Repeats a call until the server answers it, at most every minute, and tells what holds it up."""
        failures = 0
        while True:
            try:
                result = call()
            except Throttled as error:
                pause = max(error.retry_after or 0.0, 1.0)
                yield SlowDown(pause)
                pause *= 1 + 0.1 * random.random()
            except (Unreachable, ServerFault) as error:
                if failures == 0:
                    yield Unanswered(str(error))
                failures += 1
                # Boxes that lost one server come back spread.
                pause = min(2.0 ** failures, 60.0) * (0.5 + random.random())
            else:
                if failures:
                    yield Reachable()
                return result
            if cancel.wait(pause):
                raise Cancelled()

    def _new_code(self, mvpd: Optional[str], cancel: Cancellation) -> _Pairing:
        form = {"ttl": str(self._code_lifetime)}
        if mvpd:
            form["mvpd"] = mvpd
        if self._activation_url:
            form["registrationURL"] = self._activation_url
        answer = self._call("POST", f"/reggie/v1/{self._requestor}/regcode", form=form, cancel=cancel, repeats=False)
        if answer.status not in (200, 201):
            raise self._error(answer)
        members = answer.members()
        code, expires = reading.code(members), reading.milliseconds(members, "expires")
        info = members.get("info")
        named = reading.optional_text(info, "registrationURL") if isinstance(info, dict) else None
        page = named or self._activation_url or f"{self._base}/activate"
        if not page.startswith(("https://", "http://")) or len(page) > 2048 or not page.isprintable():
            raise BadAnswer()
        address, _, fragment = page.partition("#")
        url = f"{address}{'&' if '?' in address else '?'}code={code}" + (f"#{fragment}" if fragment else "")
        short = answer.headers.get("latchkey-short-url", "")
        short_url = short if _SHORT.match(short) and short.endswith(code) else None
        left = min(max(0.0, (expires - self._clock.now) / 1000), 36_000.0)
        deadline = time.monotonic() + left
        shown = Code(
            code=code, display_code=reading.grouped(code), url=url, page=page, short_url=short_url,
            qr=qr.png(short_url or url), expires=expires, deadline=deadline)
        return _Pairing(shown, PollingSchedule(self._interval, deadline))

    def _wait_for(self, pairing: _Pairing, cancel: Cancellation) -> Generator[Event, None, bool]:
        """Asks until the code was used or is over; says whether another is to follow."""
        schedule, code, watch = pairing.schedule, pairing.code, _Watch()
        poll = schedule.begin(time.monotonic())
        while not watch.is_over:
            if cancel.wait(poll.pause):
                raise Cancelled()
            asked = time.monotonic()
            is_last = asked >= code.deadline
            hold = None if is_last else poll.hold
            had_problem = schedule.failures >= _PROBLEM
            try:
                answer = self._ask(code.code, watch.state is None, hold, poll.timeout, cancel)
                if answer.status == 429:
                    raise Throttled(answer.retry_after)
                if answer.status >= 500:
                    raise ServerFault(answer.status)
            except (Unreachable, ServerFault, BadAnswer) as error:
                now = time.monotonic()
                poll = schedule.failed(now - asked if hold else None, now, random.random())
                if not had_problem and schedule.failures >= _PROBLEM:
                    yield Unanswered(str(error))
            except Throttled as error:
                poll = schedule.throttled(error.retry_after, time.monotonic(), random.random())
                yield SlowDown(max(error.retry_after or 0.0, poll.pause))
            else:
                if had_problem:
                    yield Reachable()
                if answer.status not in (200, 404, 410):
                    raise self._error(answer)
                before = watch.state
                for event in watch.consider(answer):
                    yield event
                    if event.is_last:
                        return False
                now = time.monotonic()
                held = now - asked if "wait" in answer.headers.get("preference-applied", "") else None
                poll = schedule.pending(held, before not in (None, watch.state), now, random.random())
            if is_last:
                break
        # Without the server's word on it, the viewer may be at the page this moment.
        if self._renews and watch.tells_states and not watch.was_opened:
            return True
        yield CodeExpired()
        return False

    def _ask(
        self, code: str, may_be_foreign: bool, hold: Optional[int], timeout: float, cancel: Cancellation,
    ) -> Answer:
        """Asks for the sign-in that came of a code.

        Servers that do not say how far a code is are asked for the device's sign-in too: some know no other question.
        """
        wait = {"Prefer": f"wait={hold}"} if hold else {}
        for path in (f"/api/v1/authenticate/{code}", "/api/v1/tokens/authn"):
            answer = self._call("GET", path, cancel=cancel, headers=wait, timeout=timeout, repeats=False)
            if not may_be_foreign or answer.status != 404 or "latchkey-code-state" in answer.headers:
                break
        return answer

    def _withdraw(self, code: str) -> None:
        """Tells the server that the code is not shown any more; it ends by itself where that does not get through."""
        try:
            self._call("DELETE", f"/reggie/v1/{self._requestor}/regcode/{code}", timeout=3.0, repeats=False)
        except LatchkeyError:
            pass

    # The wire

    def _call(
        self, method: str, path: str, query: Optional[Mapping[str, str]] = None, *,
        form: Optional[Mapping[str, str]] = None, headers: Optional[Mapping[str, str]] = None,
        cancel: Optional[Cancellation] = None, timeout: float = _TIMEOUT, repeats: bool = True,
    ) -> Answer:
        """Sends a signed request.

        Sends it again with the clock set right and, where it ``repeats``, twice more when it did not get through.
        """
        pauses = list(_PAUSES) if repeats else []
        is_clock_tried = False
        while True:
            offset = self._clock.offset
            pause: float
            try:
                answer = self._send(method, path, query, form, headers, cancel, timeout)
                if answer.status == 401 and not is_clock_tried and self._clock.offset != offset:
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
        own = {"requestor": self._requestor, "deviceId": self._device_id}
        body: Optional[bytes] = None
        told = {
            "Accept": "application/json", "X-Device-Info": self._device_header,
            "Authorization": signed(
                method, self._requestor, secrets.token_hex(16), self._clock.now, path, self._key_pair),
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
            self._clock.observe(answer.date)
        return answer

    def _error(self, answer: Answer, resource: Optional[str] = None) -> LatchkeyError:
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
        if answer.status == 403:
            return CredentialsRefused()
        if 400 <= answer.status < 500:
            return BadRequest(f"The server refuses the request: {message or answer.status}.", code or "bad_request")
        return BadAnswer()
