"""Estimates with known answers."""

import numpy as np
import pytest
from openskill.models import PlackettLuce
from scipy.stats import ttest_1samp

from danmaku_env.arena.matches.match import Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.rating import rate
from danmaku_env.arena.tournaments.report import make_report
from danmaku_env.arena.tournaments.statistics import paired_variance, tables, unpaired_variance
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.estimates import estimate, holm

ROLES = tuple(ROLE_IDS.index(role) for role in ("heroine", "partner", "stage_boss", "stage_boss", "ex_boss", "stage_boss"))


def simulated(plan, skill, luck, *, rng, fresh=False):
    """Results in which a seat wins with a chance made of the agent's skill and of what the deal gives the seat."""
    results = []
    for players in plan.players:
        for deal in range(plan.deals):
            gift = rng.normal(size=players)
            for job in plan.jobs(players, deal):
                if fresh:
                    gift = rng.normal(size=players)
                chance = 0.5 + luck * gift + np.array([skill[agent] for agent in job.seats])
                rewards = np.where(rng.random(players) < chance, 1, -1)
                results.append(Result(job.key, tuple(int(reward) for reward in rewards), ROLES[:players], 10))
    return results


def test_the_interval_is_that_of_the_t_test():
    numbers = np.array([0.1, -0.3, 0.5, 0.2, 0.0, 0.4])
    found = estimate([numbers], 0.95)
    half = 2.5705818 * numbers.std(ddof=1) / np.sqrt(6)
    assert (found.deals, found.mean) == (6, pytest.approx(0.15))
    assert (found.low, found.high) == (pytest.approx(0.15 - half), pytest.approx(0.15 + half))
    assert found.p == pytest.approx(ttest_1samp(numbers, 0).pvalue)


def test_no_difference_in_a_few_deals_leaves_as_much_doubt_as_any_other_result():
    assert estimate([np.zeros(9)], 0.99) == estimate([np.zeros(4), np.zeros(5)], 0.99)
    nine, thousand = estimate([np.zeros(9)], 0.99), estimate([np.zeros(1000)], 0.99)
    assert (nine.mean, nine.p, thousand.p) == (0, 1, 1)
    assert nine.half == pytest.approx(2 * (1 - 0.005 ** (1 / 9))), "up to 44 % of the deals may differ, by up to 2"
    assert 0.01 < thousand.half < 0.011
    assert estimate([np.ones(1)], 0.99).p == 1
    assert np.isinf(estimate([np.ones(1)], 0.99).half)


def test_deals_that_are_all_alike_leave_the_doubt_that_so_few_leave():
    """Two deals or nine do not show that no other deal is different; a thousand show that few are."""
    two, nine, thousand = (estimate([np.ones(deals)], 0.99) for deals in (2, 9, 1000))
    assert two.p > 0.5
    assert two.low < -1
    assert nine.low < 0 < 0.01 < nine.p
    assert (thousand.mean, thousand.half) == (1, pytest.approx(0.016, abs=0.001))
    assert thousand.p < 1e-100
    for deals in (2, 6, 20):
        sign_test = 2.0 ** (1 - deals)
        assert estimate([np.full(deals, 2.0)], 0.95).p == pytest.approx(sign_test)
        assert estimate([np.full(deals, -0.1)], 0.95).p > sign_test
    found = estimate([np.full(20, 0.5)], 0.99)
    assert estimate([np.full(20, 0.5)], 1 - found.p).low == pytest.approx(0), "test and interval say the same"
    assert estimate([np.ones(4), -np.ones(4)], 0.99).p == 1
    tenths = np.array([0.1 + 0.2, 0.3, 0.3])  # differ by rounding
    assert estimate([tenths], 0.99).half == pytest.approx(estimate([np.full(3, 0.3)], 0.99).half)


def test_alike_by_chance_is_covered():
    """One deal in thirty is lost instead of won: thirty that are all alike are nothing rare, and their interval holds the mean."""
    rng, truth = np.random.default_rng(4), 1 - 2 / 30
    drawn = [np.where(rng.random(30) < 1 / 30, -1.0, 1.0) for _ in range(300)]
    alike = [estimate([deals], 0.9) for deals in drawn if deals.min() == deals.max()]
    assert len(alike) > 50
    assert all(found.low < truth < found.high for found in alike)


def test_a_deal_alone_in_its_stratum_counts_and_widens_the_interval():
    """What a table size says with a single deal belongs to the mean; how deals of that size differ is not known."""
    assert estimate([np.array([1.0]), np.array([-1.0]), np.array([0.6])], 0.95).mean == pytest.approx(0.2)
    assert estimate([np.array([1.0]), np.array([-1.0])], 0.95) == estimate([np.array([1.0, -1.0])], 0.95)
    most = np.random.default_rng(1).normal(0, 0.1, 40)
    joined = estimate([most, np.array([1.0])], 0.95)
    assert joined == estimate([np.array([1.0]), most], 0.95)
    assert joined.half > estimate([most], 0.95).half
    rng, missed = np.random.default_rng(2), 0
    for _ in range(400):
        found = estimate([rng.normal(size=size) for size in (1, 1, 1, 5)], 0.9)
        missed += not found.low < 0 < found.high
    assert missed <= 56


def test_strata_that_differ_do_not_widen_the_interval():
    rng = np.random.default_rng(1)
    low, high = rng.normal(-5, 1, 200), rng.normal(5, 1, 200)
    assert estimate([low, high], 0.95).half == pytest.approx(1.96 / 20, rel=0.1)
    assert estimate([np.concatenate([low, high])], 0.95).half > 4 * estimate([low, high], 0.95).half


def test_holm():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_rewards_are_counted_where_the_agents_sat():
    plan = Plan(agents=("a", "b"), players=(4,), deals=2)
    results = [Result(job.key, tuple(1 if agent == 0 else -1 for agent in job.seats), ROLES[:4], 5) for job in plan.jobs(4, 0)]
    (table,) = tables(plan, results)  # the second deal is not complete
    assert table.rewards.tolist() == [[[1, 1, 1, 1], [-1, -1, -1, -1]]]
    assert table.scores().tolist() == [[1, -1]]
    assert table.won("Stage Boss").tolist() == [[1, 0]]
    assert table.scores("Rival").shape == (0, 2)


def test_a_planted_advantage_is_found_and_covered():
    plan = Plan(agents=("weak", "twin", "strong"), deals=700)
    report = make_report(plan, simulated(plan, [0, 0, 0.06], 0.1, rng=np.random.default_rng(7)), {}, confidence=0.99)
    assert report.section().standings[0].agent == 2
    pair = next(pair for pair in report.section().pairs if {pair.first, pair.second} == {0, 2})
    assert pair.difference.low < 0.12 < pair.difference.high
    assert pair.difference.p < 0.001
    twins = next(pair for pair in report.section().pairs if {pair.first, pair.second} == {0, 1})
    assert twins.difference.low < 0 < twins.difference.high
    assert "< strong" in report.ordering()
    assert "≲" in report.ordering()


def test_intervals_cover_the_truth_as_often_as_they_say():
    plan = Plan(agents=("a", "b"), players=(4,), deals=20)
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(200):
        (table,) = tables(plan, simulated(plan, [0, 0.1], 0.1, rng=rng))
        scores = table.scores()
        found = estimate([scores[:, 1] - scores[:, 0]], 0.9)
        missed += not found.low < 0.2 < found.high
    assert 10 <= missed <= 32


@pytest.mark.parametrize(("agents", "players"), [(2, 4), (5, 4)])
def test_the_gain_in_precision_is_that_of_really_unpaired_play(agents, players):
    """Many small tournaments both ways: the variance between them is what the formulas say from one."""
    plan = Plan(agents=tuple("abcde"[:agents]), players=(players,), deals=40)
    skill, rng = [0.1, 0.0, 0.0, 0.0, 0.0], np.random.default_rng(5)
    means = {}
    for fresh in (False, True):
        means[fresh] = []
        for _ in range(100):
            (table,) = tables(plan, simulated(plan, skill, 0.25, rng=rng, fresh=fresh))
            scores = table.scores()
            means[fresh].append((scores[:, 0] - scores[:, 1]).mean())
    formulas = [tables(plan, simulated(plan, skill, 0.25, rng=rng)) for _ in range(20)]
    paired = np.mean([paired_variance(strata, 0, 1) for strata in formulas])
    unpaired = np.mean([unpaired_variance(strata, 0, 1) for strata in formulas])
    assert paired == pytest.approx(np.var(means[False]), rel=0.3)
    assert unpaired == pytest.approx(np.var(means[True]), rel=0.3)
    assert unpaired > 1.1 * paired


def test_ratings_follow_the_results():
    plan = Plan(agents=("a", "b", "c"), players=(4,), deals=60)
    strata = tables(plan, simulated(plan, [-0.3, 0, 0.3], 0, rng=np.random.default_rng(1)))
    ratings = rate(strata, 3)
    assert ratings[0].mu < ratings[1].mu < ratings[2].mu
    assert all(rating.sigma < 25 / 3 for rating in ratings)


def test_ratings_rank_the_agents_however_close_their_scores_are():
    """As openskill rates whole ranks; scores that differ by rounding alone are equal."""
    plan = Plan(agents=("a", "b", "c"), players=(6,), deals=40)
    strata = tables(plan, simulated(plan, [-0.3, 0, 0.3], 0, rng=np.random.default_rng(2)))
    model = PlackettLuce(tau=0.0)
    expected = [model.rating() for _ in range(3)]
    for scores in strata[0].scores():
        ranks = [sum(other > one + 1e-9 for other in scores) for one in scores]
        expected = [team[0] for team in model.rate([[rating] for rating in expected], ranks=[float(rank) for rank in ranks])]
    assert [tuple(rating) for rating in rate(strata, 3)] == [pytest.approx((rating.mu, rating.sigma)) for rating in expected]
    assert rate(strata, 3)[2].mu - rate(strata, 3)[0].mu > 10


def test_an_agent_keeps_its_colour_in_every_report():
    pytest.importorskip("matplotlib")
    from danmaku_env.arena.reports.style import colors_of

    own = colors_of(["my:Bot"])["my:Bot"]
    for others in (["random", "heuristic"], ["deducer", "frequencies", "neural"], ["search"]):
        alone = colors_of(others)
        there = colors_of([*others, "my:Bot"])
        assert {name: there[name] for name in others} == alone == {name: colors_of([name])[name] for name in others}
        assert there["my:Bot"] == own
    many = [f"bot:{number}" for number in range(8)]
    assert len(set(colors_of(many).values())) == len(many), "no two alike, as long as there are colours"
