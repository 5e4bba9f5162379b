"""Through the box's agent: its API, version 1, on a Unix socket. The agent holds the credentials and the sign-in."""

import base64
import json
import math
import random
import time
import urllib.parse
from typing import Any, Dict, Iterator, List, Optional, Sequence

from . import qr, reading
from .cancellation import Cancellation
from .client import Client, preauthorized
from .errors import (
    AlreadySignedIn, BadAnswer, BadRequest, Cancelled, CredentialsRefused, LatchkeyError, NotAuthorized, NotSignedIn,
    PermissionDenied, PermissionUndetermined, ServerFault, StateError, Throttled, Unreachable)
from .model import (
    JSON, Account, AccountProvider, Approved, Authorization, Code, CodeExpired, CodeIssued, CodeWithdrawn,
    Confirming, Decision, Declined, Event, MediaToken, PageLeft, PageOpened, Provider, ProviderRefused, Reachable,
    SignInState, SlowDown, Status, Unanswered, ViewerBox, ViewerBoxes)
from .transport import Answer, Transport, UnixTransport

__all__ = ["AGENT_SOCKET", "AgentClient"]

#: Where the agent listens, as it is packaged.
AGENT_SOCKET = "/run/latchkey/agent.sock"
#: The agent holds a question for events up to 55 seconds.
_HOLD = 50
_TIMEOUT = 30.0
_LONGEST_QR = 256 << 10


class _Told:
    """What the caller was told of a pairing: the code, and how far the viewer got with it."""

    def __init__(self) -> None:
        self.code: Optional[str] = None
        #: When the code runs out, as :attr:`Code.deadline`.
        self.deadline = 0.0
        #: The last step of the viewer; ``None`` before the first.
        self.step: Optional[Event] = None

    def is_news(self, event: Event) -> bool:
        """Keeps what is told now; says whether it was not told already."""
        if isinstance(event, CodeIssued):
            is_known = event.code.code == self.code
            # The agent counts in whole seconds.
            if is_known and abs(event.code.deadline - self.deadline) < 3.0:
                return False
            self.code, self.deadline = event.code.code, event.code.deadline
            self.step = self.step if is_known else None
        elif isinstance(event, (PageOpened, PageLeft, Confirming)):
            if event == self.step:
                return False
            self.step = event
        return True


class AgentClient(Client):
    """A client that asks the box's agent; :class:`~latchkey.client.Client` says what the calls do.

    The agent knows the application by its process, and asks the box's owner before it serves it: until then calls raise
    ``PermissionUndetermined``, and :meth:`ask_permission` makes the agent ask.
    """

    def __init__(
        self, requestor: str, socket_path: str = AGENT_SOCKET, *, transport: Optional[Transport] = None,
    ) -> None:
        """Raises ``BadRequest`` for what is no requestor ID."""
        self._requestor = reading.checked_requestor(requestor)
        self._transport: Transport = transport or UnixTransport(socket_path)

    def __repr__(self) -> str:
        return f"<AgentClient {self._requestor}>"

    @property
    def requestor(self) -> str:
        return self._requestor

    def status(self) -> Status:
        return self._status(None)

    def _status(self, cancel: Optional[Cancellation]) -> Status:
        members = self._call("GET", self._path(), cancel=cancel).members()
        return Status(
            self._requestor, _state(members), reading.optional_text(members, "mvpd"),
            reading.optional_text(members, "mvpdName"),
            reading.optional_milliseconds(members, "expires"), reading.optional_text(members, "reason"),
            members.get("checked") is not False)

    def providers(self) -> List[Provider]:
        members = self._call("GET", self._path("/providers")).members()
        return [
            Provider(reading.text(item, "id"), reading.text(item, "name"))
            for item in reading.objects(members, "providers")
        ]

    def authorize(self, resource: str) -> Authorization:
        # The token that comes along is for one use, and goes unused; the agent has no question without one.
        self.media_token(resource)
        return Authorization(resource)

    def media_token(self, resource: str) -> MediaToken:
        checked = reading.checked_resource(resource)
        members = self._call("POST", self._path("/authorize"), {"resource": checked}).members()
        return MediaToken(checked, reading.text(members, "token"), reading.optional_milliseconds(members, "expires"))

    def preauthorize(self, resources: Sequence[str]) -> List[Decision]:
        return preauthorized(reading.checked_resources(list(resources)), self._locks)

    def _locks(self, resources: List[str]) -> List[Decision]:
        members = self._call("POST", self._path("/preauthorize"), {"resources": resources}).members()
        return [
            Decision(
                reading.text(item, "resource"), item.get("authorized") is True, reading.optional_text(item, "message"))
            for item in reading.objects(members, "resources")
        ]

    def metadata(self, key: str) -> JSON:
        try:
            answer = self._call("GET", self._path("/metadata?key=" + urllib.parse.quote(key, safe="")))
        except BadRequest as error:
            if error.code == "not_found":
                return None
            raise
        value: JSON = answer.members().get("value")
        return value

    def logout(self) -> None:
        self._call("DELETE", self._path("/sign-in"))

    # The viewer's boxes

    def boxes(self) -> ViewerBoxes:
        """The boxes that are signed in with the account of this one. Raises ``NotSignedIn``."""
        members = self._call("GET", self._path("/boxes")).members()
        boxes = [
            ViewerBox(
                reading.text(item, "box"), reading.milliseconds(item, "since"), reading.milliseconds(item, "expires"),
                item.get("this") is True, reading.optional_text(item, "name"), reading.optional_text(item, "model"),
                reading.optional_milliseconds(item, "seen"))
            for item in reading.objects(members, "boxes")
        ]
        return ViewerBoxes(boxes, members.get("more") is True)

    def sign_out_box(self, box: str) -> None:
        """Signs another of the viewer's boxes out; ask the viewer first.

        ``box`` is a :attr:`ViewerBox.box`. Raises ``BadRequest`` with the code ``not_found`` where the viewer has no such
        box, and with ``conflict`` for this one, which :meth:`logout` signs out.
        """
        self._call("DELETE", self._path("/boxes/" + urllib.parse.quote(box, safe="")))

    # Permission

    def permission(self) -> str:
        """What the box's owner said of this application: ``granted``, ``denied`` or ``undetermined``."""
        return reading.text(self._call("GET", "/v1/permission").members(), "permission")

    def application(self) -> str:
        """What the agent knows this program by, such as ``user:kodi``: the name that the box's owner allows."""
        return reading.text(self._call("GET", "/v1/permission").members(), "application")

    def ask_permission(self, wait: float = 0.0, cancel: Optional[Cancellation] = None) -> str:
        """Makes the agent ask the box's owner, and returns what the owner said, as :meth:`permission`.

        Waits so many seconds for it at most, and returns ``undetermined`` where that is not enough.
        Raises ``Cancelled``, and ``Throttled`` where another call of this application waits already.
        """
        cancellation = cancel or Cancellation()
        end = time.monotonic() + wait
        while True:
            left = max(0.0, end - time.monotonic())
            hold = min(math.ceil(left), _HOLD)
            target = f"/v1/permission?wait={hold}" if hold else "/v1/permission"
            asked = time.monotonic()
            answer = self._call("POST", target, {}, timeout=hold + 10.0, cancel=cancellation)
            said = reading.text(answer.members(), "permission")
            if said != "undetermined" or time.monotonic() >= end:
                return said
            # An agent that stops answers before the time.
            if time.monotonic() - asked < hold - 1 and cancellation.wait(1.0):
                raise Cancelled()

    # The account of the box

    def account(self) -> Account:
        """The account of the box, by which requestors are signed in without a code.

        Raises ``BadRequest`` with the code ``not_found`` where the agent is configured without one.
        """
        members = self._call("GET", "/v1/account").members()
        return Account(
            reading.text(members, "requestor"), _state(members), reading.optional_text(members, "mvpd"),
            reading.optional_text(members, "mvpdName"), reading.optional_text(members, "provider"),
            reading.optional_milliseconds(members, "expires"), reading.optional_text(members, "reason"))

    def account_providers(self) -> List[AccountProvider]:
        """The providers that the account of the box can be signed in with. Raises as :meth:`account`."""
        members = self._call("GET", "/v1/account/providers").members()
        return [
            AccountProvider(reading.text(item, "id"), reading.text(item, "name"), reading.text(item, "provider"))
            for item in reading.objects(members, "providers")
        ]

    def pair_account(self, mvpd: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Iterator[Event]:
        """Signs the account of the box in, as :meth:`pair` does this requestor. Raises as :meth:`account`."""
        owner = AgentClient(self.account().requestor, transport=self._transport)
        yield from owner.pair(mvpd, cancel)

    # Pairing

    def pair(self, mvpd: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Iterator[Event]:
        cancellation = cancel or Cancellation()
        try:
            yield from self._pair(mvpd, cancellation)
        except Cancelled:
            try:
                self._call("DELETE", self._path("/pairing"), timeout=3.0)
            except LatchkeyError:
                # It ends by itself where that does not get through.
                pass
            yield CodeWithdrawn()

    def _pair(self, mvpd: Optional[str], cancel: Cancellation) -> Iterator[Event]:
        told = _Told()
        position: Optional[int] = None
        failures = 0
        # Whether events were missed: an agent that restarted says that there is a gap.
        is_behind = False
        news: List[Event]
        while True:
            try:
                if told.code is None:
                    # The position first, so that no event between the two is lost.
                    position = self._position(cancel)
                    body = {"mvpd": mvpd} if mvpd else {}
                    news = [self._issued(self._call("POST", self._path("/pairing"), body, cancel=cancel).members())]
                elif is_behind:
                    news = self._catch_up(told, cancel)
                    is_behind = False
                else:
                    # After a failure the answer comes at once: a viewer waits to hear that the agent is back.
                    hold = 0 if failures else _HOLD
                    answer = self._call(
                        "GET", f"/v1/events?after={position}&wait={hold}", timeout=hold + 10.0, cancel=cancel)
                    members, news = answer.members(), []
                    items = reading.objects(members, "events")
                    for item in items:
                        if item.get("requestor") == self._requestor:
                            news += self._event(item, told, cancel)
                    # The position last: if a question about an event fails, all of them are read again.
                    position = self._next(members)
                    is_behind = any(item.get("event") == "gap" for item in items)
                if failures:
                    failures = 0
                    yield Reachable()
            except (Unreachable, ServerFault, Throttled) as error:
                if failures == 0:
                    yield Unanswered(str(error))
                failures += 1
                asked = error.retry_after if isinstance(error, (Unreachable, Throttled)) else None
                if cancel.wait(max(asked or 0.0, min(2.0 ** failures, 30.0) * (0.5 + 0.5 * random.random()))):
                    raise Cancelled() from None
                continue
            for event in news:
                if told.is_news(event):
                    yield event
                if event.is_last:
                    return

    def _position(self, cancel: Cancellation) -> int:
        return self._next(self._call("GET", "/v1/events", cancel=cancel).members())

    @staticmethod
    def _next(members: Dict[str, Any]) -> int:
        position = members.get("next")
        if not isinstance(position, int) or isinstance(position, bool) or position < 0:
            raise BadAnswer()
        return position

    def _catch_up(self, told: _Told, cancel: Cancellation) -> List[Event]:
        """What became of the pairing while its events were not read."""
        status = self._status(cancel)
        if status.state is SignInState.SIGNED_IN:
            return [Approved(status.mvpd, status.expires)]
        if status.state is SignInState.SIGNED_OUT:
            # Its reason is of the last sign-in, not of the code. An agent that starts drops a code of less than 15 s.
            return [CodeExpired() if told.deadline - time.monotonic() < 20.0 else CodeWithdrawn()]
        return self._current(told, cancel)

    def _current(self, told: _Told, cancel: Cancellation) -> List[Event]:
        """What the pairing that runs now has beyond what was told."""
        try:
            members = self._call("GET", self._path("/pairing"), cancel=cancel).members()
        except BadRequest as error:
            if error.code == "not_found":
                # It has just ended, and an event says how.
                return []
            raise
        is_known = members.get("code") == told.code
        news: List[Event] = [self._issued(members)]
        # It says that the page was ever opened; where the viewer is now only the events say.
        is_opened = members.get("opened") is True and not (is_known and told.step)
        return news + ([PageOpened()] if is_opened else [])

    def _event(self, item: Dict[str, Any], told: _Told, cancel: Cancellation) -> List[Event]:
        """What an event of the agent means for the caller that pairs; nothing for those about other things."""
        kind = item.get("event")
        if kind == "code_issued":
            # The pairing also tells whether its page was opened already, and when a code of an earlier run ends by the
            # server's clock.
            is_known = item.get("code") == told.code and item.get("resumed") is not True
            return [] if is_known else self._current(told, cancel)
        if kind in ("page_opened", "signing_in"):
            # Not every server says the first.
            return [PageOpened()]
        if kind == "page_left":
            return [PageLeft()]
        if kind == "confirming":
            return [Confirming()]
        if kind == "approved":
            return [Approved(reading.optional_text(item, "mvpd"), reading.optional_milliseconds(item, "expires"))]
        if kind == "declined":
            return [Declined()]
        if kind == "expired":
            return [CodeExpired()]
        if kind == "cancelled":
            return [CodeWithdrawn()]
        if kind == "provider_refused":
            return [ProviderRefused(reading.optional_text(item, "message"))]
        if kind == "error" and self._status(cancel).state is SignInState.SIGNED_OUT:
            # It ended the pairing; one of another call does not.
            raise LatchkeyError(
                reading.optional_text(item, "code") or "error",
                reading.optional_text(item, "message") or "The box could not be paired.")
        if kind == "slow_down":
            pause = item.get("retryAfter")
            return [SlowDown(float(pause) if isinstance(pause, (int, float)) else 0.0)]
        if kind == "unreachable":
            return [Unanswered(reading.optional_text(item, "message") or "The server cannot be reached.")]
        if kind == "reachable":
            return [Reachable()]
        return []

    @staticmethod
    def _issued(members: Dict[str, Any]) -> CodeIssued:
        code, expires = reading.code(members), reading.milliseconds(members, "expires")
        # Not by the box's clock, which may be wrong. No code lives for more than ten hours, whatever the agent says.
        left = members.get("secondsLeft")
        if not isinstance(left, int) or isinstance(left, bool) or left < 0:
            raise BadAnswer()
        # A server without a page of its own names none: the viewer enters the code at the provider's.
        url, short_url = reading.optional_text(members, "url") or "", reading.optional_text(members, "shortUrl")
        return CodeIssued(Code(
            code=code, display_code=reading.optional_text(members, "displayCode") or reading.grouped(code),
            url=url, page=reading.optional_text(members, "pageUrl") or url.partition("?")[0],
            short_url=short_url,
            qr=_picture(reading.optional_text(members, "qr")) or (qr.png(short_url or url) if url else None),
            expires=expires, deadline=time.monotonic() + min(left, 36_000)))

    # The wire

    def _path(self, rest: str = "") -> str:
        return f"/v1/requestors/{self._requestor}{rest}"

    def _call(
        self, method: str, target: str, body: Optional[Dict[str, Any]] = None, *, timeout: float = _TIMEOUT,
        cancel: Optional[Cancellation] = None,
    ) -> Answer:
        headers = {"Accept": "application/json"}
        data: Optional[bytes] = None
        if body is not None:
            data = json.dumps(body).encode("utf-8")
            headers["Content-Type"] = "application/json"
        answer = self._transport.send(method, target, headers, data, timeout, cancel)
        if not 200 <= answer.status < 300:
            raise _error(answer)
        return answer


def _state(members: Dict[str, Any]) -> SignInState:
    try:
        return SignInState(members.get("state"))
    except ValueError:
        raise BadAnswer() from None


def _picture(data_url: Optional[str]) -> Optional[bytes]:
    """The PNG in a data URL; ``None`` for anything else."""
    kind, _, text = (data_url or "").partition(",")
    if kind != "data:image/png;base64" or len(text) > _LONGEST_QR:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _error(answer: Answer) -> LatchkeyError:
    """The error for a failure that the agent names."""
    try:
        members = answer.members()
    except BadAnswer:
        members = {}
    code = reading.optional_text(members, "error") or ""
    message = reading.optional_text(members, "message")
    told = (message,) if message else ()
    if code == "permission_undetermined":
        return PermissionUndetermined(*told)
    if code == "permission_denied":
        return PermissionDenied(*told)
    if code == "not_signed_in":
        return NotSignedIn(*told)
    if code == "already_signed_in":
        return AlreadySignedIn(*told)
    if code == "not_authorized":
        return NotAuthorized(
            reading.optional_text(members, "resource") or "", reading.optional_text(members, "providerMessage"))
    if answer.status == 429:
        return Throttled(answer.retry_after)
    if code == "credentials_refused":
        return CredentialsRefused(*told)
    if code == "unreachable":
        return Unreachable(message or "The server cannot be reached.", answer.retry_after)
    if code == "storage":
        return StateError(message or "The box cannot keep what it knows. Is its disk full?", code)
    if code == "internal":
        # What the agent keeps cannot be read, which asking again does not mend.
        return StateError(message or "The box's agent cannot read what it keeps.", code)
    if answer.status == 503:
        # The agent refuses a connection without a document.
        return Throttled(answer.retry_after, "Too many programs ask the box's agent at once.", "busy")
    if answer.status >= 500:
        return ServerFault(answer.status)
    if 400 <= answer.status < 500:
        return BadRequest(message or f"The box's agent refuses the request ({answer.status}).", code or "bad_request")
    return BadAnswer("The box's agent does not answer as expected.")
