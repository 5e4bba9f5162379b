"""Ending a call from another thread."""

import socket
import threading
from typing import List

__all__ = ["Cancellation"]


class Cancellation:
    """Ends what it was given to, from any thread and for good: the question that is under way, and every pause."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._sockets: List[socket.socket] = []

    @property
    def is_cancelled(self) -> bool:
        """Whether :meth:`cancel` was called."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Cancels; a second time it does nothing."""
        with self._lock:
            self._event.set()
            for connection in self._sockets:
                cut(connection)

    def wait(self, seconds: float) -> bool:
        """Pauses for so long, or until it is cancelled; returns whether it is."""
        return self._event.wait(max(0.0, seconds))

    def attach(self, connection: socket.socket) -> None:
        """Cuts the connection when it is cancelled, also when it was before."""
        with self._lock:
            self._sockets.append(connection)
            if self._event.is_set():
                cut(connection)

    def detach(self, connection: socket.socket) -> None:
        """Forgets the connection."""
        with self._lock:
            self._sockets = [other for other in self._sockets if other is not connection]


def cut(connection: socket.socket) -> None:
    """Wakes the thread that reads from the connection; it finds the connection ended."""
    try:
        # Not the method of a TLS socket: it takes the session away under the reader.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        # It was closed already.
        pass
