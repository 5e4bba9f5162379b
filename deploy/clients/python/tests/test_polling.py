"""When questions are asked."""

import unittest

from support import polling


class Schedule(unittest.TestCase):
    """The rules of rest-v1 28.3 and sdk-services 8; times in seconds, the middle of every jitter."""

    def setUp(self) -> None:
        self.schedule = polling.PollingSchedule(5, 1800)

    def pending(self, held: float, now: float, changed: bool = False) -> polling.Poll:
        return self.schedule.pending(held, changed, now, 0.5)

    def unheld(self, now: float) -> polling.Poll:
        return self.schedule.pending(None, False, now, 0.5)

    def test_the_first_question_is_asked_at_once_and_may_be_held(self) -> None:
        self.assertEqual(self.schedule.begin(0), polling.Poll(0, 50, 60))

    def test_a_server_that_holds_is_asked_again_at_once(self) -> None:
        self.schedule.begin(0)
        self.assertEqual(self.pending(50, 50), polling.Poll(0, 50, 60))
        self.assertEqual(self.pending(0.1, 51, changed=True).pause, 0)

    def test_one_that_only_says_that_it_holds_is_asked_more_and_more_slowly(self) -> None:
        self.schedule.begin(0)
        pauses = [self.pending(0.0, 1).pause for _ in range(8)]
        self.assertEqual(pauses, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5])

    def test_one_that_does_not_hold_is_asked_every_interval_and_later_half_as_often(self) -> None:
        self.schedule.begin(0)
        self.assertEqual(self.unheld(1), polling.Poll(5, None, 10))
        self.assertEqual(self.unheld(301).pause, 10)

    def test_throttling_doubles_the_pause_up_to_a_minute(self) -> None:
        self.schedule.begin(0)
        pauses = [self.schedule.throttled(None, 1, 0).pause for _ in range(6)]
        self.assertEqual(pauses, [10, 20, 40, 60, 60, 60])

    def test_a_server_that_asks_for_a_longer_pause_gets_it(self) -> None:
        self.schedule.begin(0)
        self.assertEqual(self.schedule.throttled(300, 1, 0).pause, 300)
        self.assertGreater(self.schedule.throttled(300, 1, 0.9).pause, 300)

    def test_failures_double_the_pause_from_the_second_on(self) -> None:
        self.schedule.begin(0)
        pauses = [self.schedule.failed(None, 1, 0.5).pause for _ in range(6)]
        self.assertEqual(pauses, [5, 10, 20, 40, 60, 60])
        self.assertEqual([self.schedule.failed(None, 1, jitter).pause for jitter in (0, 0.9)], [30, 84])
        self.assertEqual(self.schedule.failures, 8)
        # The first answer tells that the connection is back; the next says how the server takes questions.
        self.assertEqual((self.unheld(2).pause, self.unheld(2).pause), (0, 5))
        self.assertEqual(self.schedule.failures, 0)

    def test_boxes_that_lost_a_server_that_held_them_come_back_spread(self) -> None:
        for jitter, pause in ((0.0, 0.0), (0.5, 1.5), (0.99, 2.97)):
            schedule = polling.PollingSchedule(5, 1800)
            schedule.begin(0)
            schedule.pending(50, False, 50, 0)
            self.assertAlmostEqual(schedule.failed(1, 51, jitter).pause, pause)

    def test_it_asks_for_an_answer_at_once_while_the_connection_is_gone(self) -> None:
        self.schedule.begin(0)
        self.schedule.failed(20, 20, 0)
        self.assertIsNone(self.schedule.failed(0, 21, 0).hold)
        back = self.schedule.pending(None, False, 22, 0)
        self.assertEqual((back.pause, back.hold), (0, 50))

    def test_a_way_that_ends_long_questions_gets_shorter_ones(self) -> None:
        self.schedule.begin(0)
        self.assertEqual(self.schedule.failed(30, 30, 0).hold, 50)
        self.assertEqual(self.schedule.failed(30, 60, 0).hold, 24)

    def test_no_question_is_held_past_the_end(self) -> None:
        self.assertEqual(polling.PollingSchedule(5, 7).begin(0), polling.Poll(0, 8, 18))
        self.schedule.begin(0)
        self.assertEqual(self.unheld(1798).pause, 2)
