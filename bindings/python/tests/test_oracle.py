import math

import pytest

import dodona

from conftest import TEST, TRAIN

GOLD = """\
# sent_id = one
1\tBirds\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_systems():
    names = [system.name for system in dodona.systems()]
    assert names[:3] == ["arc-standard", "arc-eager", "arc-hybrid"] and len(names) == 9


def test_costs_along_the_gold_path():
    steps = list(dodona.oracle(GOLD, "arc-eager"))
    assert [step.loss for step in steps] == [0] * len(steps)
    assert steps[0].sentence == "one" and steps[0].n == 2 and steps[0].history == ()
    assert steps[1].history == ("SH",)
    assert steps[1].costs == {"SH": 1, "LA": 0, "RA": 2}
    assert all(0 in step.costs.values() for step in steps)


def test_losses_follow_the_costs():
    """On a random walk the loss rises by what was paid."""
    for sentence in dodona.read_conllu(TRAIN):
        try:
            steps = list(dodona.oracle(sentence, "arc-hybrid", walk="random", seed=7))
        except dodona.DataError:
            continue
        for one, other in zip(steps, steps[1:]):
            assert other.loss == one.loss + one.costs[other.history[-1]]


def test_sources_are_alike():
    wanted = list(dodona.oracle(TEST, "covington"))
    assert list(dodona.oracle(dodona.read_conllu(TEST), "covington")) == wanted
    assert list(dodona.oracle(TEST.read_text("utf-8"), "covington")) == wanted


def test_seeds():
    walks = [[step.history for step in dodona.oracle(TEST, "covington", walk="random", seed=s)]
             for s in (1, 1, 2)]
    assert walks[0] == walks[1] != walks[2]


def test_optimal_derivations():
    found, = dodona.optimal(GOLD, "arc-standard", limit=9)
    assert found.sentence == "one" and found.n == 2 and found.left_out == ()
    assert found.total == len(found.derivations) == 1
    assert found.derivations == (("SH", "SH", "SH", "LA", "RA"),)
    roots = "".join(f"{i}\tw\t_\t_\t_\t_\t0\tx\t_\t_\n" for i in range(1, 31)) + "\n"
    found, = dodona.optimal(roots, "covington", limit=3)
    assert found.total == math.factorial(30) and len(set(found.derivations)) == 3
    last = "".join(f"{i}\tw\t_\t_\t_\t_\t{30 if i < 30 else 0}\tx\t_\t_\n"
                   for i in range(1, 31)) + "\n"
    found, = dodona.optimal(last, "covington-nm")
    assert found.total is None and found.configurations is None


def test_what_oracles_refuse():
    crossing = "".join(f"{i}\tw\t_\t_\t_\t_\t{h}\tx\t_\t_\n"
                       for i, h in enumerate([3, 4, 0, 3], 1)) + "\n"
    with pytest.raises(dodona.DataError):
        list(dodona.oracle(crossing, "arc-eager"))
    steps = list(dodona.oracle(crossing, "arc-eager", partial=True))
    assert {step.left_out for step in steps} == {(2,)} and {step.loss for step in steps} == {0}
    assert {step.left_out for step in dodona.oracle(crossing, "covington")} == {()}
    with pytest.raises(dodona.DataError):
        list(dodona.optimal(crossing, "arc-eager"))
    assert [found.left_out for found in dodona.optimal(crossing, partial=True)] == [(2,)]
    with pytest.raises(dodona.ArgumentError, match="arc-lazy"):
        dodona.oracle(GOLD, "arc-lazy")
    with pytest.raises(dodona.ArgumentError, match="walk must be one of"):
        dodona.oracle(GOLD, walk="home")
