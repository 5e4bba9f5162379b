"""Without an agent: the signed endpoints of REST v1 (rest-v1 11 to 19), straight from the add-on."""

import base64
import json
import threading
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from . import reading
from .cancellation import Cancellation
from .client import Client, preauthorized
from .errors import BadAnswer, BadRequest, LatchkeyError, StateError
from .model import JSON, Authorization, Decision, Event, MediaToken, Provider, SignInState, Status
from .pairing import CodeOptions, DirectPairing
from .signing import KeyPair, ServerClock
from .state import StateFile
from .transport import Transport, WebTransport
from .wire import Wire

__all__ = ["DeviceInformation", "DirectClient"]

#: Seconds for which the list of providers is not fetched again for a name.
_PROVIDERS_KEPT = 300.0


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
        kept = state.keep(key_pair) if key_pair else state.load()
        if kept.key_pair is None:
            raise StateError(f"There is no key pair for {requestor}: neither given nor in {state.path}.")
        self._wire = Wire(
            transport or web, clock or ServerClock(), self._requestor, kept.device_id, kept.key_pair, device.header)
        self._options = CodeOptions(web.base, activation_url, code_lifetime, renews, interval)
        self._lock = threading.Lock()
        self._decisions: Dict[str, int] = {}
        self._known_providers: Tuple[float, List[Provider]] = (-_PROVIDERS_KEPT, [])

    def __repr__(self) -> str:
        return f"<DirectClient {self._options.base} {self._requestor}>"

    @property
    def requestor(self) -> str:
        return self._requestor

    # What is known of the sign-in

    def status(self) -> Status:
        return self._status(None)

    def _status(self, cancel: Optional[Cancellation]) -> Status:
        answer = self._wire.call("GET", "/api/v1/tokens/authn", cancel=cancel)
        if answer.status == 200:
            members = answer.members()
            mvpd, expires = reading.text(members, "mvpd"), reading.milliseconds(members, "expires")
            return Status(self._requestor, SignInState.SIGNED_IN, mvpd, self._name(mvpd), expires)
        if answer.status not in (404, 410):
            raise self._wire.error(answer)
        reason = "expired" if answer.status == 410 else None
        return Status(self._requestor, SignInState.SIGNED_OUT, reason=reason)

    def providers(self) -> List[Provider]:
        answer = self._wire.call("GET", f"/api/v1/config/{self._requestor}")
        if answer.status != 200:
            raise self._wire.error(answer)
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
        answer = self._wire.call("GET", "/api/v1/tokens/usermetadata")
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise self._wire.error(answer)
        data = answer.members().get("data")
        if not isinstance(data, dict):
            raise BadAnswer()
        value: JSON = data.get(key)
        return value

    # What the viewer may play

    def authorize(self, resource: str) -> Authorization:
        checked = reading.checked_resource(resource)
        answer = self._wire.call("GET", "/api/v1/authorize", {"resource": checked})
        if answer.status != 200:
            with self._lock:
                self._decisions.pop(checked, None)
            raise self._wire.error(answer, checked)
        expires = reading.milliseconds(answer.members(), "expires")
        with self._lock:
            self._decisions[checked] = expires
        return Authorization(checked, expires)

    def media_token(self, resource: str) -> MediaToken:
        checked = reading.checked_resource(resource)
        with self._lock:
            is_decided = self._decisions.get(checked, 0) > self._wire.clock.now
        if not is_decided:
            self.authorize(checked)
        answer = self._wire.call("GET", "/api/v1/tokens/media", {"resource": checked})
        if answer.status == 403 and is_decided:
            # The decision ended before its time.
            self.authorize(checked)
            answer = self._wire.call("GET", "/api/v1/tokens/media", {"resource": checked})
        if answer.status != 200:
            raise self._wire.error(answer, checked)
        members = answer.members()
        return MediaToken(checked, reading.text(members, "serializedToken"), reading.milliseconds(members, "expires"))

    def preauthorize(self, resources: Sequence[str]) -> List[Decision]:
        checked = reading.checked_resources(list(resources))
        if any("," in resource for resource in checked):
            raise BadRequest("A resource with a comma in its name cannot be asked about without an agent.")
        # A server answers without the white space around them.
        return preauthorized([resource.strip() for resource in checked], self._locks)

    def _locks(self, resources: List[str]) -> Iterator[Decision]:
        answer = self._wire.call("GET", "/api/v1/preauthorize", {"resource": ",".join(resources)})
        if answer.status != 200:
            raise self._wire.error(answer)
        for item in reading.objects(answer.members(), "resources"):
            error = item.get("error")
            message = None
            if isinstance(error, dict):
                message = reading.optional_text(error, "details") or reading.optional_text(error, "message")
            yield Decision(reading.text(item, "id"), item.get("authorized") is True, message)

    def logout(self) -> None:
        answer = self._wire.call("DELETE", "/api/v1/logout")
        if answer.status != 204:
            raise self._wire.error(answer)
        with self._lock:
            self._decisions.clear()

    def pair(self, mvpd: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Iterator[Event]:
        pairing = DirectPairing(self._wire, self._options, lambda given: self._status(given).is_signed_in)
        return pairing.run(mvpd, cancel or Cancellation())
