"""What the suites know of the gateways under test; scripts/test-clients starts them and says where they are."""

import json
import os
import time
import unittest
import urllib.request

MODEL = "warmlane-sim"
# Three simulated model servers behind it.
GATEWAY = os.environ["WARMLANE_URL"]
ADMIN = os.environ["WARMLANE_ADMIN_URL"]
# Nothing that answers behind it.
EMPTY_GATEWAY = os.environ["WARMLANE_EMPTY_URL"]

LONG_ANSWER_TOKENS = 4000


def endpoints():
    with urllib.request.urlopen(f"{ADMIN}/endpoints", timeout=5) as answer:
        return json.load(answer)["endpoints"]


def busy():
    """Requests in flight by the gateway's count, and running by the engines' own."""
    return [(e["in_flight_requests"], e["running"]) for e in endpoints()]


class GatewayTest(unittest.TestCase):
    def assert_idle_soon(self):
        """Far sooner than a long answer would take to its end."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if all(in_flight == 0 and not running for in_flight, running in busy()):
                return
            time.sleep(0.05)
        self.fail(f"still busy: {busy()}")

    def assert_busy_soon(self):
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if any(running for _, running in busy()):
                return
            time.sleep(0.05)
        self.fail(f"no engine runs anything: {busy()}")


LONG_TEXT = " ".join(f"Sentence number {i} of a long shared document." for i in range(200))
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city", "days"],
}
