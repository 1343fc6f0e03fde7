"""A service is asked no faster than its rates allow, by all runs together."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from inforce.web.rate_limits import Rate, RateLimiter, shared_limiter


@given(
    st.lists(st.floats(0, 5), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(1, 5), st.floats(0.5, 20)), min_size=1, max_size=3),
)
def test_no_window_holds_more_requests_than_its_rate(
    gaps: list[float], rates: list[tuple[int, float]]
) -> None:
    clock = 0.0
    limiter = RateLimiter(*(Rate(*rate) for rate in rates), now=lambda: clock)
    sent: list[float] = []
    for gap in gaps:
        clock += gap
        sent.append(clock + limiter.take(max_wait=1e9))
    assert all(after >= before - 1e-9 for before, after in zip(sent, sent[1:], strict=False))
    for count, seconds in rates:
        for first, after in zip(sent, sent[count:], strict=False):
            assert after - first >= seconds - 1e-6


def test_who_would_wait_too_long_takes_no_place() -> None:
    limiter = RateLimiter(Rate(1, 60.0), now=lambda: 0.0)
    assert limiter.take(max_wait=1) == 0.0
    assert [limiter.take(max_wait=1) for _ in range(3)] == [60.0] * 3


def test_threads_share_one_pace() -> None:
    limiter = RateLimiter(Rate(1, 1.0), now=lambda: 0.0)
    waits: list[float] = []
    threads = [
        threading.Thread(target=lambda: waits.append(limiter.take(max_wait=99))) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [float(n) for n in range(16)]


def test_everyone_who_asks_a_service_shares_its_pace() -> None:
    assert shared_limiter("a", Rate(1, 1.0)) is shared_limiter("a", Rate(1, 1.0))
    assert shared_limiter("a", Rate(1, 1.0)) is not shared_limiter("b", Rate(1, 1.0))
