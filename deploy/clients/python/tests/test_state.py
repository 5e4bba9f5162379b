"""The state file and the file with credentials."""

import json
import multiprocessing
import os
import pathlib
import stat
import tempfile
import unittest
from typing import Any
from unittest import mock

from support import PAIR, latchkey
from latchkey import state
from latchkey.state import StateFile, device_id, key_pair_from_file


def keep(path: str, number: int) -> None:
    """Keeps a pair of a number's own, in a process of its own."""
    StateFile(path).keep(latchkey.KeyPair(f"key{number}", "secret"))


class Files(unittest.TestCase):
    """Each test has a folder."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "box" / "state.json"
        self.file = StateFile(str(self.path))

    def test_the_first_load_makes_a_private_file(self) -> None:
        made = self.file.load()
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o600)
        self.assertEqual(self.file.load(), made)
        self.assertEqual(made.device_id, device_id("latchkey-python"))

    def test_the_pair_is_kept_and_not_shown(self) -> None:
        kept = self.file.keep(PAIR)
        self.assertEqual(StateFile(str(self.path)).load().key_pair, PAIR)
        self.assertNotIn(PAIR.private_key, repr(kept))
        self.assertNotIn(kept.device_id, repr(kept))

    def test_the_identity_survives_the_loss_of_the_file(self) -> None:
        machine = self.folder / "machine-id"
        machine.write_text("0123456789abcdef0123456789ABCDEF\n")
        with mock.patch.object(state, "_MACHINE_IDS", (str(machine),)):
            before = self.file.load().device_id
            self.path.unlink()
            self.assertEqual(self.file.load().device_id, before)
            # access-enabler 12.4
            self.assertEqual(before, "d058e55058bc9d020919bee3cba2372459f98eda0693c077e73a544f672a873a")
            self.assertNotEqual(device_id("other"), before)

    def test_a_box_without_identity_gets_one_and_keeps_it(self) -> None:
        for text in ("uninitialized\n", "0" * 32, ""):
            machine = self.folder / "machine-id"
            machine.write_text(text)
            with mock.patch.object(state, "_MACHINE_IDS", (str(machine), "/nonexistent")):
                self.assertNotEqual(device_id("x"), device_id("x"))
                self.assertEqual(self.file.load(), self.file.load())

    def test_a_damaged_file_is_never_taken_for_an_empty_one(self) -> None:
        self.file.load()
        for damage in (b"", b"{", b"[]", b'{"deviceId": 1}', b'{"deviceId":"d","keyPair":{}}', b"\xff", b"[" * 60_000):
            self.path.write_bytes(damage)
            with self.subTest(damage=damage[:20]), self.assertRaises(latchkey.StateError) as caught:
                self.file.load()
            self.assertEqual(caught.exception.code, "state_damaged")
            self.assertEqual(self.path.read_bytes(), damage)

    def test_a_file_that_cannot_be_read_is_said_to_be_so(self) -> None:
        self.path.parent.mkdir()
        self.path.mkdir()
        with self.assertRaisesRegex(latchkey.StateError, "is not a file"):
            self.file.load()
        self.path.rmdir()
        os.mkfifo(str(self.path))
        with self.assertRaisesRegex(latchkey.StateError, "is not a file"):
            self.file.load()

    def test_a_large_file_is_not_read(self) -> None:
        self.path.parent.mkdir()
        self.path.write_bytes(b" " * 70_000)
        with self.assertRaisesRegex(latchkey.StateError, "larger than 64 KiB"):
            self.file.load()

    def test_a_write_that_fails_leaves_the_old_file(self) -> None:
        before = self.file.load()
        for call in ("fsync", "replace"):
            with mock.patch.object(os, call, side_effect=OSError(28, "No space left on device")):
                with self.assertRaisesRegex(latchkey.StateError, "No space left on device"):
                    self.file.keep(PAIR)
            self.assertEqual(self.file.load(), before)
        # And what it left beside does not stop the next one.
        kept = self.file.keep(PAIR)
        self.assertEqual(kept.key_pair, PAIR)
        # Nothing is written, as on a disk that is read-only by now.
        with mock.patch.object(StateFile, "_lock", side_effect=latchkey.StateError("read-only")):
            self.assertEqual(self.file.keep(PAIR), kept)

    def test_processes_do_not_lose_each_others_changes(self) -> None:
        identity = self.file.load().device_id
        context: Any = multiprocessing.get_context("fork")
        processes = [context.Process(target=keep, args=(str(self.path), number)) for number in range(8)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
            self.assertEqual(process.exitcode, 0)
        kept = self.file.load()
        self.assertEqual(kept.device_id, identity)
        assert kept.key_pair
        self.assertRegex(kept.key_pair.public_key, "key[0-7]")

    def test_credentials_are_what_the_server_printed(self) -> None:
        path = self.folder / "key-pair.json"
        members = {"publicKey": "P", "privateKey": "S", "requestors": ["DEMO"], "serverToServer": False}
        path.write_text(json.dumps(members))
        path.chmod(0o600)
        self.assertEqual(key_pair_from_file(str(path), "DEMO"), latchkey.KeyPair("P", "S"))
        with self.assertRaisesRegex(latchkey.StateError, "not for OTHER"):
            key_pair_from_file(str(path), "OTHER")
        path.chmod(0o640)
        with self.assertRaisesRegex(latchkey.StateError, "mode 0600"):
            key_pair_from_file(str(path), "DEMO")
        path.chmod(0o600)
        path.write_text('{"publicKey": "P"}')
        with self.assertRaisesRegex(latchkey.StateError, "keys issue"):
            key_pair_from_file(str(path))
        with self.assertRaisesRegex(latchkey.StateError, "is not there"):
            key_pair_from_file(str(self.folder / "none"))
