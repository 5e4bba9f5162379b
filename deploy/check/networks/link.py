"""A link between two networks of this machine, as good or as bad as wanted."""

import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import subprocess
import threading
import time

# linux/if_tun.h: the numbers are the same on every processor but MIPS, PowerPC and SPARC.
_TUNSETIFF = 0x400454CA
_IFF_TUN_WITHOUT_HEADER = 0x0001 | 0x1000
_PACKET_LIMIT = 65536
# A link holds no more than this; what comes beyond is lost, as on a real one.
_QUEUE_LIMIT = 2000


def run(*words: str) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


class End:
    """One end of the link: a device in a network of its own."""

    def __init__(self, network: str, device: str) -> None:
        self.network = network
        self.device = device
        self.file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        name = device.encode()
        fcntl.ioctl(self.file, _TUNSETIFF, struct.pack("16sH14x", name, _IFF_TUN_WITHOUT_HEADER))
        run("ip", "link", "set", device, "netns", network)

    def ip(self, *words: str) -> None:
        run("ip", "-n", self.network, *words)

    def raise_(self) -> None:
        self.ip("link", "set", self.device, "up")

    def cut(self) -> None:
        self.ip("link", "set", self.device, "down")

    def give(self, address: str) -> None:
        self.ip("address", "add", address, "dev", self.device)

    def take(self, address: str) -> None:
        self.ip("address", "del", address, "dev", self.device)


class Link:
    """Carries packets between two ends until it is closed."""

    def __init__(self, one: End, other: End, seed: int = 1) -> None:
        self._peers = {one.file: other.file, other.file: one.file}
        self._random = random.Random(seed)
        self._quality = (0.0, 0.0)
        self._counts = {"carried": 0, "lost": 0}
        self._wake = os.pipe()
        self._thread = threading.Thread(target=self._carry, name="link")
        self._thread.start()

    def be(self, *, loss: float, delay: float = 0.0) -> None:
        """From now on, the share of packets that are lost in each direction, and how late the others are, in seconds."""
        self._quality = (loss, delay)

    def count(self) -> dict[str, int]:
        return dict(self._counts)

    def close(self) -> None:
        os.write(self._wake[1], b"x")
        self._thread.join()

    def _carry(self) -> None:
        late: list[tuple[float, int, int, bytes]] = []
        order = itertools.count()
        while True:
            pause = max(0.0, late[0][0] - time.monotonic()) if late else None
            ready, _, _ = select.select([*self._peers, self._wake[0]], [], [], pause)
            if self._wake[0] in ready:
                return
            loss, delay = self._quality
            for file in ready:
                packet = self._read(file)
                if packet is None:
                    continue
                if self._random.random() < loss or len(late) >= _QUEUE_LIMIT:
                    self._counts["lost"] += 1
                else:
                    heapq.heappush(late, (time.monotonic() + delay, next(order), self._peers[file], packet))
            while late and late[0][0] <= time.monotonic():
                _, _, file, packet = heapq.heappop(late)
                try:
                    os.write(file, packet)
                    self._counts["carried"] += 1
                except OSError:
                    # That end is down.
                    self._counts["lost"] += 1

    @staticmethod
    def _read(file: int) -> bytes | None:
        try:
            return os.read(file, _PACKET_LIMIT)
        except OSError:
            return None
