"""How much is measured."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Sizes of one run."""

    conversations: int  #: of seven turns each, one after the other
    rounds: int  #: of everything that is measured as a rate
    warming: int = 1  #: rounds before those that count
    turns: int = 60  #: of one person in a round
    hot: int = 100  #: turns that wait in one session
    sessions: int = 32  #: at once
    laps: int = 4  #: conversations of each client in a round over HTTP
    few_stored: int = 10
    many_stored: int = 100_000  #: sessions
    few_processes: int = 5
    many_processes: int = 500
    many_turns: int = 2_000  #: in one session
    archived: int = 3_000  #: sessions
    streams: int = 1_000  #: open at once, and silent
    silence: float = 20.0  #: seconds that they are
    downloads: int = 50  #: of one file at once
    file_size: int = 20 * 1000 * 1000
    wakes: int = 100  #: at once, and a fifth of them one after the other
    rows: int = 100_000  #: of the table that is analyzed
    few_plans: int = 50
    many_plans: int = 1_000
    few_facts: int = 10
    many_facts: int = 10_000
    pause: float = 1.5  #: seconds in which what is begun ahead loads, as between two things that people say
    bombs: int = 8  #: queries that take all they may

    def numbers(self, most: int | None = None) -> range:
        """The numbers of all rounds, of at most so many that count; those below nought warm."""
        return range(-self.warming, self.rounds if most is None else min(self.rounds, most))


FULL = Sizes(conversations=100, rounds=9)
QUICK = Sizes(
    conversations=8,
    rounds=3,
    laps=1,
    many_stored=2_000,
    many_processes=50,
    many_turns=120,
    archived=300,
    silence=10.0,
    many_plans=200,
)
TINY = Sizes(
    conversations=1,
    rounds=1,
    warming=0,
    turns=5,
    hot=5,
    sessions=3,
    laps=1,
    many_stored=20,
    many_processes=8,
    many_turns=12,
    archived=5,
    streams=3,
    silence=0.5,
    downloads=3,
    file_size=300_000,
    wakes=5,
    rows=200,
    few_plans=2,
    many_plans=4,
    many_facts=30,
    pause=0.0,
    bombs=2,
)
