"""Search over the index in the database: the terms that a budget pays for, then the best by all of them."""

from __future__ import annotations

from itertools import accumulate
from operator import itemgetter

from recollect.model.recall import Analysed, Frequencies
from recollect.model.record import Record
from recollect.store.index import ALL
from recollect.text.relevance import brevity, reaching

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from recollect.model.recall import Budget, Places, Wanted
    from recollect.store.index import Index


MOST_COUNTED = 1_000  # of a token


class PostingsPlan(Record):
    """What is asked of the index: the terms that the budget pays for, these with another one, two of the others; and
    which share of the entries, the oldest, is left out."""

    match: str = ""
    pairs: str = ""
    others: str = ""
    left_out: float = 0.0


class IndexSearch:
    """The entries of some places, by the index in the database. One for each question."""

    name_heads: AbstractSet[str] | None = None  # reading them would cost more than they spare

    def __init__(self, index: Index, places: Places) -> None:
        self._index = index
        self._partitions = index.partitions(places)

    def frequencies(self, wanted: Sequence[str]) -> Frequencies:
        """In how many entries each of these occurs, of all entries that there are."""
        found = self._index.frequencies([ALL, *wanted])
        return Frequencies(found.pop(ALL, 0), found)

    def spelled_like(self, prefix: str, shortest: int, longest: int, limit: int = 200) -> list[str]:
        """Tokens that begin with the prefix and have between shortest and longest characters."""
        return self._index.spelled_like(prefix, shortest, longest, limit)

    def count_here(self, token: str) -> int:
        """In how many entries of these places it occurs, as far as that tells how rare it is."""
        partitions = self._partitions
        if not partitions:
            return 0
        return self._index.count_matches(f"{quoted(token)} AND ({any_of(partitions)})", MOST_COUNTED)

    def best(self, wanted: Wanted, budget: Budget) -> list[Analysed]:
        """Those that can reach the floor by all that is wanted, not only by what was looked up, or else all that were
        found; of these the best, oldest first."""
        worth, needed, partitions = wanted.worth, wanted.needed, self._partitions
        plan = plan_postings(list(worth), wanted.frequencies, partitions, budget, wanted.parts)
        inside: list[tuple[int, str, list[str]]] = []
        have = []
        for row, entry_id, analysed in self._index.analysed(self._matching(plan, budget.read)):
            tokens = analysed.split()
            # The partition of an entry is the first of its tokens.
            if tokens[0] in partitions:
                common = worth.keys() & tokens
                have.append((len(inside), sum(map(worth.__getitem__, common)), len(common)))
                inside.append((row, entry_id, tokens))
        near = [one for one in have if one[1] >= needed.least]
        words = {place: max(len(set(inside[place][2])) - 1, 1) for place, _, _ in near}
        found = reaching(needed, near, words) or [(place, grains) for place, grains, _ in have]
        best = sorted([(-grains * brevity(len(inside[place][2]) - 1), *inside[place]) for place, grains in found])
        oldest_first = sorted(best[: budget.best], key=itemgetter(1))
        return [Analysed(entry_id, set(tokens[1:])) for _, _, entry_id, tokens in oldest_first]

    def similar(self, terms: Sequence[str], budget: Budget) -> list[Analysed]:
        """Entries with some of these terms, those that share most of the rare ones first."""
        plan = plan_postings(terms, self.frequencies(terms), self._partitions, budget)
        rows = self._matching(plan, budget.read)
        known = {row: (entry_id, analysed.split()) for row, entry_id, analysed in self._index.analysed(rows)}
        found = [known[row] for row in rows if row in known and known[row][1][0] in self._partitions]
        return [Analysed(entry_id, set(tokens[1:])) for entry_id, tokens in found[: budget.best]]

    def _matching(self, plan: PostingsPlan, limit: int) -> list[int]:
        """The rows that match a plan: those with a rare and another term, those with two others, then the best by rare
        ones, each by bm25."""
        if not plan.match:
            return []
        asked = [(match, limit * 2 // 5) for match in (plan.pairs, plan.others) if match]
        asked.append((plan.match, limit // 4 if asked else limit))
        first_row = int(self._index.newest_row() * plan.left_out) if plan.left_out else 0
        found: dict[int, None] = {}
        for match, most in asked:
            found.update(dict.fromkeys(self._index.matching(match, first_row, most)))
        return list(found)


def plan_postings(
    wanted: Sequence[str],
    frequencies: Frequencies,
    partitions: Mapping[str, int],
    budget: Budget,
    parts: Collection[str] = (),
) -> PostingsPlan:
    """Rarest terms first until the budget is spent: cost grows neither with the query nor with the store.
    Terms that are too frequent to be looked up still tell which entries have two: to pass over a posting is cheap.
    `parts` are terms that come with another one; they are looked up when all others are."""
    total, documents = frequencies
    inside = sum(partitions.values())
    known = sorted((term for term in wanted if term in documents), key=documents.__getitem__)
    if not known or not inside:
        return PostingsPlan()
    # Restricting the match costs a walk over the partition's own postings: worth it only when it is the smaller part.
    restrict = inside < total / 2
    costs = {term: min(documents[term], inside) if restrict else documents[term] for term in known}
    apart = [term for term in known if term not in parts]
    taken = affordable(apart, costs, budget.postings) or known[:1]
    spent = sum(costs[term] for term in taken)
    rest = [term for term in apart if term not in taken]
    if not rest:
        taken += affordable([term for term in known if term not in taken], costs, budget.postings - spent)
        spent = sum(costs[term] for term in taken)
    within = f" AND ({any_of(partitions)})" if restrict else ""
    match = any_of(taken)
    others = affordable(rest, documents, budget.pairs)
    # Every second one on either side: most entries with three of these words are met, and none is passed over twice.
    left, right = any_of(others[::2]), any_of(others[1::2])
    return PostingsPlan(
        f"({match}){within}",
        f"({match}) AND ({any_of(others)}){within}" if others else "",
        f"({left}) AND ({right}){within}" if right else "",
        # Even the rarest term may be in every entry: then the newest entries stand for all.
        1 - budget.postings / spent if spent > 2 * budget.postings else 0.0,
    )


def affordable(terms: Sequence[str], costs: Mapping[str, int], budget_postings: int) -> list[str]:
    """The first of the terms, as many as the budget pays for."""
    sums = accumulate(costs[term] for term in terms)
    return [term for term, spent in zip(terms, sums, strict=True) if spent <= budget_postings]


def any_of(terms: Iterable[str]) -> str:
    """A match of any of the terms, as FTS5 takes it."""
    return " OR ".join(map(quoted, terms))


def quoted(term: str) -> str:
    """A term as an FTS5 string: any text is a valid query."""
    return '"' + term.replace('"', '""') + '"'
