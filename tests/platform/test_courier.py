"""Messages that may be lost."""

from __future__ import annotations

from matches import courier


def test_after_a_failure_a_courier_rests_so_that_not_every_sender_waits(monkeypatch, caplog):
    clock = [100.0]
    monkeypatch.setattr(courier.time, "monotonic", lambda: clock[0])
    sent = []

    def fail() -> None:
        sent.append("failed")
        raise ConnectionError("the address of the broker")

    sender = courier.Courier()
    sender.send("one", lambda: sent.append("one"))
    sender.send("two", fail)
    sender.send("three", lambda: sent.append("three"))
    clock[0] += courier.REST_SECONDS
    sender.send("four", lambda: sent.append("four"))
    assert sent == ["one", "failed", "four"]
    assert caplog.messages == ["two not sent (ConnectionError); no more for 5 s"]
