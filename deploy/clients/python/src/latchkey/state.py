"""What a box without an agent keeps: its device ID and its key pair, in one private file.

A file is replaced as a whole (written beside it, flushed to the disk, renamed), so a power cut leaves the old or the
new one. A lock file beside it keeps two processes from losing each other's change.
"""

import fcntl
import hashlib
import json
import os
import re
import secrets
import stat
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Iterator, Optional

from .errors import BadRequest, StateError
from .signing import KeyPair

__all__ = ["BoxState", "StateFile", "device_id", "key_pair_from_file"]

#: Bytes; a state file has some hundred.
_LIMIT = 64 << 10
_MACHINE_IDS = ("/etc/machine-id", "/var/lib/dbus/machine-id")


@dataclass(frozen=True)
class BoxState:
    """The contents of the file."""

    device_id: str = field(repr=False)
    key_pair: Optional[KeyPair] = None


def device_id(scope: str) -> str:
    """The box's identity for programs of this scope: the same after everything else was lost (access-enabler 12.4).

    Random where the system has no machine ID.
    """
    for path in _MACHINE_IDS:
        try:
            with open(path, "rb") as file:
                machine = file.read(64).decode("ascii", "replace").strip()
        except OSError:
            continue
        if re.fullmatch(r"[0-9a-fA-F]{32}", machine) and machine.strip("0"):
            text = f"access-enabler-device\0{machine.lower()}\0{scope}"
            return hashlib.sha256(text.encode("utf-8")).hexdigest()
    return secrets.token_hex(32)


class StateFile:
    """The file at ``path``; its folder is made when it is missing."""

    def __init__(self, path: str, scope: str = "latchkey-python") -> None:
        self.path = os.path.abspath(path)
        self._scope = scope

    def load(self) -> BoxState:
        """The state; made and written on the first call.

        Raises ``StateError`` when the file cannot be read or is damaged: it is never taken for an empty one.
        """
        state = self._read()
        return state if state else self.update(lambda current: current)

    def update(self, change: Callable[[BoxState], BoxState]) -> BoxState:
        """Applies a change to what is in the file now, and returns what is in it afterwards.

        Raises ``StateError``; then the file is as it was.
        """
        with self._lock():
            current = self._read()
            new = change(current or BoxState(device_id(self._scope)))
            if new != current:
                self._write(new)
            return new

    def keep(self, pair: KeyPair) -> BoxState:
        """Keeps the key pair, so that the file it came from may go. One that is kept already needs no writable disk."""
        kept = self._read()
        if kept and kept.key_pair == pair:
            return kept
        return self.update(lambda state: replace(state, key_pair=pair))

    @contextmanager
    def _lock(self) -> Iterator[None]:
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            descriptor = os.open(self.path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise StateError(f"{self.path} cannot be written: {error.strerror}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _read(self) -> Optional[BoxState]:
        data = _private_bytes(self.path, needs_privacy=False)
        if data is None:
            return None
        damaged = f"{self.path} is damaged. Move it away to begin anew; the box keeps its identity where it has one."
        members = _members(data, damaged)
        identity = members.get("deviceId")
        if not isinstance(identity, str) or not 1 <= len(identity.encode("utf-8")) <= 512:
            raise StateError(damaged, "state_damaged")
        pair = members.get("keyPair")
        return BoxState(identity, _pair(pair, damaged) if pair is not None else None)

    def _write(self, state: BoxState) -> None:
        members: Dict[str, Any] = {"version": 1, "deviceId": state.device_id}
        if state.key_pair:
            members["keyPair"] = {
                "publicKey": state.key_pair.public_key, "privateKey": state.key_pair.private_key}
        folder = os.path.dirname(self.path)
        # One writer at a time has the lock; what a killed one left is replaced.
        beside = self.path + ".new"
        try:
            if os.path.lexists(beside):
                os.unlink(beside)
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(json.dumps(members, indent=1).encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
            directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)
        except OSError as error:
            raise StateError(f"{self.path} cannot be written: {error.strerror}.") from None


def key_pair_from_file(path: str, requestor: Optional[str] = None) -> KeyPair:
    """The key pair in what ``latchkeyd keys issue --json`` printed.

    Raises ``StateError`` when the file cannot be read, is not that, is open to other users, or when the pair is not for
    ``requestor``.
    """
    data = _private_bytes(path, needs_privacy=True)
    if data is None:
        raise StateError(f"{path} is not there.")
    wrong = f"{path} does not hold a key pair, as 'latchkeyd keys issue --json' prints it."
    members = _members(data, wrong)
    requestors = members.get("requestors")
    if requestor is not None and isinstance(requestors, list) and requestor not in requestors:
        raise StateError(f"The key pair in {path} is not for {requestor}.")
    return _pair(members, wrong)


def _private_bytes(path: str, needs_privacy: bool) -> Optional[bytes]:
    """The file's bytes; ``None`` when it is not there."""
    try:
        # A FIFO without a writer must not hold the caller.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StateError(f"{path} cannot be read: {error.strerror}.") from None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise StateError(f"{path} is not a file.")
    with os.fdopen(descriptor, "rb") as file:
        if needs_privacy and status.st_mode & 0o077:
            raise StateError(f"{path} must not be readable by other users: give it mode 0600.")
        try:
            data = file.read(_LIMIT + 1)
        except OSError as error:
            raise StateError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > _LIMIT:
        raise StateError(f"{path} is larger than {_LIMIT >> 10} KiB.")
    return data


def _members(data: bytes, sentence: str) -> Dict[str, Any]:
    try:
        members = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        members = None
    if not isinstance(members, dict):
        raise StateError(sentence, "state_damaged")
    return members


def _pair(members: Any, sentence: str) -> KeyPair:
    public = members.get("publicKey") if isinstance(members, dict) else None
    private = members.get("privateKey") if isinstance(members, dict) else None
    if not isinstance(public, str) or not isinstance(private, str):
        raise StateError(sentence, "state_damaged")
    try:
        return KeyPair(public, private)
    except BadRequest:
        raise StateError(sentence, "state_damaged") from None
