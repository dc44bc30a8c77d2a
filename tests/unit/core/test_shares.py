from softrail.core.shares import interval


def test_an_interval_is_the_one_that_wilson_published() -> None:
    found = interval([True] * 81 + [False] * 182)  # the worked example of Newcombe 1998, method 3

    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)
    assert str(interval([])) == "0.0 % (0.0 to 100.0, n = 0)"
