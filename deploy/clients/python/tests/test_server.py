"""The client without an agent against the real server, with the real pages and the real verifier."""

import threading
import time
import unittest
from typing import Any, Dict, List, Mapping, Optional

from support import DemoServer, cancel_after, latchkey
from latchkey.signing import ServerClock
from latchkey.transport import Answer, WebTransport


class Watched(WebTransport):
    """Says when a question that may be held is on its way."""

    def __init__(self, url: str) -> None:
        super().__init__(url, insecure=True)
        self.holds = threading.Event()

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float,
        cancellation: Optional[latchkey.Cancellation],
    ) -> Answer:
        if "Prefer" in headers:
            self.holds.set()
        return super().send(method, target, headers, body, timeout, cancellation)


class RealServer(unittest.TestCase):
    """One demo server for all; every test is another box."""

    server: DemoServer
    boxes = 0

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = DemoServer()
        cls.addClassCleanup(cls.server.close)

    def client(
        self, requestor: str = "DEMO", key_pair: Optional[latchkey.KeyPair] = None, **options: Any,
    ) -> latchkey.DirectClient:
        RealServer.boxes += 1
        state = latchkey.StateFile(f"{self.server.folder}/box{self.boxes}.json", scope=f"box{self.boxes}")
        return latchkey.DirectClient(
            self.server.url, requestor, state,
            key_pair or latchkey.key_pair_from_file(self.server.key_file, requestor), insecure=True, **options)

    def pair(
        self, client: latchkey.DirectClient, decision: str = "confirm", cancel: Optional[latchkey.Cancellation] = None,
    ) -> List[latchkey.Event]:
        """Pairs while the phone walks through the pages."""
        events = []
        for event in client.pair(cancel=cancel):
            events.append(event)
            if isinstance(event, latchkey.CodeIssued):
                phone = self.server.phone(event.code.url, decision)
                self.addCleanup(phone.wait)
        return events

    def test_a_box_is_paired_plays_and_signs_out(self) -> None:
        for requestor in ("DEMO", "DEMO-CLASSIC"):
            with self.subTest(requestor=requestor):
                client = self.client(requestor)
                self.assertFalse(client.status().is_signed_in)
                self.assertIn(latchkey.Provider("DemoTV", "Demo TV"), client.providers())
                end = self.pair(client)[-1]
                assert isinstance(end, latchkey.Approved)
                self.assertEqual(end.mvpd, "DemoTV")
                status = client.status()
                self.assertEqual((status.mvpd, status.mvpd_name, status.expires), ("DemoTV", "Demo TV", end.expires))
                with self.assertRaises(latchkey.AlreadySignedIn):
                    next(client.pair())

                token = client.media_token("Demo One")
                self.assertEqual(self.server.verify(token.token, "Demo One"), "VALID_TOKEN")
                self.assertEqual(self.server.verify(token.token, "Demo Two"), "INVALID_RESOURCE_ID")
                self.assertNotEqual(client.media_token("Demo One").token, token.token)
                with self.assertRaisesRegex(latchkey.NotAuthorized, "Demo Extra is not part of your package."):
                    client.authorize("Demo Extra")
                names = ["Demo One", "Demo Extra", "Demo Two", "a", "b", "c", "ü & é"]
                decisions = client.preauthorize(names)
                self.assertEqual([decision.resource for decision in decisions], names)
                self.assertEqual(
                    [decision.resource for decision in decisions if decision.authorized], ["Demo One", "Demo Two"])
                self.assertEqual(client.metadata("zip"), ["12345"])
                self.assertIsNone(client.metadata("unknown"))

                client.logout()
                client.logout()
                self.assertFalse(client.status().is_signed_in)
                for call in (
                    lambda: client.media_token("Demo One"), lambda: client.preauthorize(["x"]),
                    lambda: client.metadata("zip"),
                ):
                    with self.assertRaises(latchkey.NotSignedIn):
                        call()

    def test_a_declined_box_is_not_signed_in(self) -> None:
        client = self.client()
        self.assertEqual(self.pair(client, "decline")[-1], latchkey.Declined())
        self.assertFalse(client.status().is_signed_in)

    def test_a_code_that_nobody_opened_is_renewed_and_the_new_one_counts(self) -> None:
        client = self.client(code_lifetime=1)
        cancel = latchkey.Cancellation()
        codes = []
        for event in client.pair(cancel=cancel):
            if isinstance(event, latchkey.CodeIssued):
                codes.append(event.code.code)
                if len(codes) == 2:
                    cancel.cancel()
        self.assertEqual(len(set(codes)), 2)

    def test_a_code_that_ran_out_is_over(self) -> None:
        events = list(self.client(code_lifetime=1, renews=False).pair())
        self.assertEqual(events[1:], [latchkey.CodeExpired()])

    def test_cancelling_ends_a_held_question_and_the_code(self) -> None:
        watched = Watched(self.server.url)
        client = self.client(transport=watched)
        cancel = latchkey.Cancellation()
        events = client.pair(cancel=cancel)
        issued = next(events)
        assert isinstance(issued, latchkey.CodeIssued)
        record = f"/reggie/v1/DEMO/regcode/{issued.code.code}"
        self.assertEqual(self.server.get(record), 200)
        watcher = threading.Thread(target=cancel_after, args=(watched.holds, cancel))
        watcher.start()
        self.assertEqual(list(events), [latchkey.CodeWithdrawn()])
        watcher.join()
        self.assertEqual(self.server.get(record), 404)

    def test_a_clock_that_is_off_by_years_does_not_matter(self) -> None:
        for offset in (-20 * 365 * 86_400.0, 400 * 86_400.0, -7200.0):
            client = self.client(clock=ServerClock(lambda offset=offset: time.time() + offset))  # type: ignore[misc]
            issued = next(client.pair())
            assert isinstance(issued, latchkey.CodeIssued)
            self.assertTrue(1700 < issued.code.seconds_left <= 1801)

    def test_a_wrong_key_is_refused(self) -> None:
        public_key = latchkey.key_pair_from_file(self.server.key_file).public_key
        client = self.client(key_pair=latchkey.KeyPair(public_key, "0000000000000000"))
        with self.assertRaises(latchkey.CredentialsRefused):
            client.status()
        with self.assertRaises(latchkey.CredentialsRefused):
            next(client.pair())

    def test_two_processes_are_one_box(self) -> None:
        client = self.client()
        self.pair(client)
        state = latchkey.StateFile(f"{self.server.folder}/box{self.boxes}.json")
        other = latchkey.DirectClient(self.server.url, "DEMO", state, insecure=True)
        self.assertTrue(other.status().is_signed_in)
        other.logout()
        self.assertFalse(client.status().is_signed_in)


class Restarts(unittest.TestCase):
    """A server of its own, which goes away."""

    def test_the_server_may_be_away_at_the_start_and_in_the_middle(self) -> None:
        server = DemoServer()
        self.addCleanup(server.close)
        watched = Watched(server.url)
        client = latchkey.DirectClient(
            server.url, "DEMO", latchkey.StateFile(server.folder + "/box.json"),
            latchkey.key_pair_from_file(server.key_file), insecure=True, interval=1, transport=watched)
        server.stop()
        events = client.pair()
        self.assertIsInstance(next(events), latchkey.Unanswered)
        server.start()
        self.assertEqual(next(events), latchkey.Reachable())
        issued = next(events)
        assert isinstance(issued, latchkey.CodeIssued)

        found: Dict[str, List[latchkey.Event]] = {}
        reader = threading.Thread(target=lambda: found.update(rest=list(events)))
        reader.start()
        watched.holds.wait()
        server.stop()
        server.start()
        self.assertEqual(server.phone(issued.code.url).wait(), 0)
        reader.join()
        self.assertIsInstance(found["rest"][-1], latchkey.Approved)
        self.assertTrue(client.status().is_signed_in)
