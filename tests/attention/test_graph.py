"""Attention along edges: the fast sums equal the slow twin, and weights belong to the edges they are given for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close
from torch.utils import _pytree
from torch.utils._python_dispatch import TorchDispatchMode

from jumok.attention import edge_sums, reference
from jumok.attention.edges import PreparedEdges, prepare_edges
from jumok.attention.graph import GraphAttention

NODES, SIZE = 7, 4
# Node 0 is a hub, 1 -> 2 is there twice, 3 has its own loop, 5 only looks out, 6 has no edge at all.
EDGES = torch.tensor(
    [[1, 2, 3, 4, 5, 0, 1, 3, 1, 0, 5, 2, 4, 3], [0, 0, 0, 0, 0, 1, 2, 3, 2, 4, 4, 4, 1, 1]],
)
PATHS = ("fast", "fast in blocks", "all in blocks")


@pytest.fixture(params=PATHS)
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each way that the sums can go; a block holds three edges or so."""
    name: str = request.param
    if "blocks" in name:
        monkeypatch.setattr(edge_sums, "BLOCK_BYTES", 100)
    if "all" in name:
        monkeypatch.setattr(edge_sums, "has_fast_sums", lambda device, dtype: False)
    return name


@pytest.fixture(params=[1, 2], ids=["GAT", "GATv2"])
def version(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


def layer_of(version: Any, heads: int = 2, dtype: torch.dtype = torch.float64, **settings: Any) -> GraphAttention:
    layer = GraphAttention(SIZE, 3, heads, version=version, **settings).to(dtype)
    if layer.bias is not None:
        nn.init.normal_(layer.bias)
    return layer


def random_nodes(dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(NODES, SIZE, dtype=dtype, requires_grad=True)


def incoming_sums(weights: Tensor, edges: Tensor, self_weights: Tensor | None = None) -> Tensor:
    sums = weights.new_zeros(NODES, weights.shape[1]).index_add(0, edges[1], weights)
    return sums if self_weights is None else sums + self_weights


def gradients(layer: GraphAttention, nodes: Tensor, *outputs: Tensor | None) -> tuple[Tensor, ...]:
    """Those of the nodes and the parameters, for fixed random gradients of the outputs."""
    generator = torch.Generator().manual_seed(1)
    real = [output for output in outputs if output is not None]
    given = [torch.randn(output.shape, generator=generator, dtype=output.dtype) for output in real]
    return torch.autograd.grad(real, [nodes, *layer.parameters()], given, retain_graph=True)


TWIN_SETTINGS: list[dict[str, Any]] = [
    {"heads": heads, "concat": concat, "self_loops": self_loops}
    for heads, concat, self_loops in product((1, 3), (True, False), (True, False))
]
TWIN_SETTINGS.append({"heads": 2, "bias": False, "negative_slope": 0.0})


@pytest.mark.parametrize("settings", TWIN_SETTINGS, ids=str)
def test_fast_equals_slow_in_value_and_gradient(path: str, version: int, settings: dict[str, Any]) -> None:
    layer, nodes = layer_of(version, **settings), random_nodes()
    attended = layer(nodes, EDGES)
    fast = (attended.context, attended.weights, attended.self_weights)
    slow = reference.attend_edges(layer, nodes, EDGES)
    assert_close(fast, slow)
    assert_close(gradients(layer, nodes, *fast), gradients(layer, nodes, *slow))
    assert_close(gradients(layer, nodes, fast[0]), gradients(layer, nodes, slow[0]))


def test_shared_weights_equal_the_slow_twin(path: str) -> None:
    layer, nodes = layer_of(2, share_weights=True), random_nodes()
    fast, slow = layer(nodes, EDGES), reference.attend_edges(layer, nodes, EDGES)
    assert_close(fast.context, slow[0])
    assert_close(gradients(layer, nodes, fast.context), gradients(layer, nodes, slow[0]))


def test_gradcheck(path: str, version: int) -> None:
    layer = layer_of(version)
    prepared = layer.prepare(EDGES, NODES)

    def run(nodes: Tensor, *parameters: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        names = [name for name, _ in layer.named_parameters()]
        attended = torch.func.functional_call(layer, dict(zip(names, parameters, strict=True)), (nodes, prepared))
        return attended.context, attended.weights, attended.self_weights

    assert torch.autograd.gradcheck(run, (random_nodes(), *layer.parameters()))


def test_weights_alone_have_a_gradient(version: int) -> None:
    layer, nodes = layer_of(version, bias=False), random_nodes()
    fast, slow = layer(nodes, EDGES).weights, reference.attend_edges(layer, nodes, EDGES)[1]
    assert_close(gradients(layer, nodes, fast), gradients(layer, nodes, slow))


def test_weights_keep_the_order_of_the_edges(path: str, version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()
    order = torch.randperm(EDGES.shape[1])
    plain, shuffled = layer(nodes, EDGES), layer(nodes, EDGES[:, order])
    assert_close(shuffled.weights, plain.weights[order])
    assert_close(shuffled.self_weights, plain.self_weights)
    assert_close(shuffled.context, plain.context)


def test_weights_into_a_node_sum_to_one(path: str, version: int) -> None:
    nodes = random_nodes()
    with_loops = layer_of(version)(nodes, EDGES)
    assert_close(incoming_sums(with_loops.weights, EDGES, with_loops.self_weights), torch.ones(7, 2).double())
    without = layer_of(version, self_loops=False)(nodes, EDGES)
    has_edge = (torch.bincount(EDGES[1], minlength=NODES) > 0).double()
    assert_close(incoming_sums(without.weights, EDGES), has_edge[:, None].expand(-1, 2))
    assert without.self_weights is None


def test_a_neighbourhood_far_below_the_largest_score_still_sums_to_one(path: str, version: int) -> None:
    layer = GraphAttention(1, 1, version=version, self_loops=False)  # type: ignore[arg-type]
    for name, parameter in layer.named_parameters():
        nn.init.constant_(parameter, 0.0 if name in ("score.target", "bias") else 1.0)
    nodes = torch.tensor([[1e4], [1e4 - 1], [-5e4], [-5e4 - 5], [0.0], [0.0]], requires_grad=True)
    edges = torch.tensor([[0, 1, 2, 3], [4, 4, 5, 5]])  # scores 1e4, 1e4 - 1 into 4 and -1e4, -1e4 - 1 into 5
    attended = layer(nodes, edges)
    likely = torch.tensor(1.0).sigmoid()
    pair = torch.stack([likely, 1 - likely])
    assert_close(attended.weights[:, 0], torch.cat([pair, pair]), atol=1e-3, rtol=0)
    assert all(gradient.isfinite().all() for gradient in gradients(layer, nodes, *attended))


def test_each_of_two_equal_edges_has_its_weight(path: str, version: int) -> None:
    attended = layer_of(version)(random_nodes(), EDGES)
    first, second = ((EDGES[0] == 1) & (EDGES[1] == 2)).nonzero()[:, 0]
    assert_close(attended.weights[first], attended.weights[second])
    assert (attended.weights[first] > 0).all()


def test_more_edges_than_pairs_of_nodes(path: str, version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()[:3]
    edges = torch.randint(3, (2, 40))
    fast, slow = layer(nodes, edges), reference.attend_edges(layer, nodes, edges)
    assert_close((fast.context, fast.weights, fast.self_weights), slow)
    assert_close(gradients(layer, nodes, fast.context), gradients(layer, nodes, slow[0]))


@pytest.mark.parametrize("self_loops", [True, False])
def test_a_node_without_edges(path: str, version: int, self_loops: bool) -> None:
    layer, nodes = layer_of(version, self_loops=self_loops), random_nodes()
    attended = layer(nodes, EDGES)
    alone = layer(nodes[6:], EDGES.new_zeros(2, 0))
    assert_close(attended.context[6:], alone.context)
    if not self_loops:
        assert layer.bias is not None
        assert_close(alone.context, layer.bias[None])
    assert all(gradient.isfinite().all() for gradient in gradients(layer, nodes, *attended))


def test_a_loop_among_the_edges_is_not_added_again(path: str, version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()
    attended = layer(nodes, EDGES)
    given = (EDGES == 3).all(0)
    assert (attended.self_weights[3] == 0).all()
    assert (attended.self_weights[[0, 1, 2, 4, 5, 6]] > 0).all()
    assert (attended.weights[given] == 1).all()  # nothing else looks at node 3
    added = layer(nodes, EDGES[:, ~given])
    assert_close(added.context, attended.context)
    assert_close(added.self_weights[3:4], attended.weights[given])


@pytest.mark.parametrize("self_loops", [True, False])
def test_no_edges_at_all(path: str, version: int, self_loops: bool) -> None:
    layer, nodes = layer_of(version, self_loops=self_loops), random_nodes()
    attended = layer(nodes, torch.zeros(2, 0, dtype=torch.long))
    assert attended.weights.shape == (0, 2)
    assert_close(attended.context, reference.attend_edges(layer, nodes, torch.zeros(2, 0).long())[0])
    assert all(gradient.isfinite().all() for gradient in gradients(layer, nodes, *attended))


def test_an_edge_changes_only_the_node_that_it_leads_to(version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()
    before, after = layer(nodes, EDGES), layer(nodes, torch.cat([EDGES, torch.tensor([[5], [1]])], 1))
    others = torch.arange(NODES) != 1
    assert_close(after.context[others], before.context[others])
    assert_close(after.weights[:-1][EDGES[1] != 1], before.weights[EDGES[1] != 1])
    assert not torch.allclose(after.context[1], before.context[1])


def test_renumbering_the_nodes_renumbers_the_result(version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()
    order = torch.randperm(NODES)
    renumbered = layer(nodes[order], order.argsort()[EDGES])
    assert_close(renumbered.context, layer(nodes, EDGES).context[order])
    assert_close(renumbered.weights, layer(nodes, EDGES).weights)


def test_preparing_once_equals_preparing_each_time(version: int) -> None:
    first, nodes = layer_of(version), random_nodes()
    second = GraphAttention(6, 2, heads=5).double()
    prepared = first.prepare(EDGES, nodes=NODES)
    for _ in range(2):
        once = second(first(nodes, prepared).context, prepared)
        each = second(first(nodes, EDGES).context, EDGES)
        assert_close([*once, once.self_weights], [*each, each.self_weights], rtol=0, atol=0)


def test_prepared_edges_move_to_another_device() -> None:
    prepared = prepare_edges(EDGES, NODES).to("meta")
    assert isinstance(prepared, PreparedEdges)
    assert (prepared.place.device.type, prepared.incoming.starts.device.type) == ("meta", "meta")


def test_small_whole_numbers_are_edges_too(version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()
    assert_close(list(layer(nodes, EDGES.to(torch.uint8))), list(layer(nodes, EDGES)), rtol=0, atol=0)


def test_dropout_is_on_the_sum_and_not_on_the_weights(path: str, version: int) -> None:
    layer, nodes = layer_of(version, dropout=0.5, bias=False), random_nodes()
    dropped = layer(nodes, EDGES, generator=torch.Generator().manual_seed(3))
    again = layer(nodes, EDGES, generator=torch.Generator().manual_seed(3))
    assert_close(again.context, dropped.context, rtol=0, atol=0)
    quiet = layer.eval()(nodes, EDGES)
    assert_close(dropped.weights, quiet.weights)
    assert not torch.allclose(dropped.context, quiet.context)


def test_dropout_changes_nothing_on_average(version: int) -> None:
    layer, nodes = layer_of(version, dropout=0.5), random_nodes().detach()
    prepared = layer.prepare(EDGES, NODES)
    many = torch.stack([layer(nodes, prepared).context for _ in range(500)])
    assert_close(many.mean(0), layer.eval()(nodes, prepared).context, rtol=0, atol=0.2)


def test_the_gradient_under_dropout_is_that_of_the_dropped_sum(path: str, version: int) -> None:
    layer, prepared = layer_of(version, dropout=0.5), prepare_edges(EDGES, NODES)

    def run(nodes: Tensor) -> Tensor:
        context: Tensor = layer(nodes, prepared, generator=torch.Generator().manual_seed(3)).context
        return context

    assert torch.autograd.gradcheck(run, (random_nodes(),))


@pytest.mark.parametrize("given", ["edges", "prepared edges"])
def test_compiled_equals_eager(version: int, given: str) -> None:
    layer, nodes = layer_of(version), random_nodes()
    edges = EDGES if given == "edges" else layer.prepare(EDGES, NODES)

    def run(nodes: Tensor) -> list[Tensor]:
        attended = layer(nodes, edges)
        return [attended.context, attended.weights, attended.self_weights]

    compiled = torch.compile(run, backend="aot_eager", fullgraph=True)
    assert_close(compiled(nodes), run(nodes))
    assert_close(gradients(layer, nodes, *compiled(nodes)), gradients(layer, nodes, *run(nodes)))


def test_operators_keep_the_rules_of_torch(version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()
    prepared = layer.prepare(EDGES, NODES)
    values, scores = layer.score(nodes, prepared)
    tests = ("test_schema", "test_autograd_registration", "test_faketensor")
    for operator, arguments in (
        (torch.ops.jumok.sort_edges, (EDGES, NODES, True)),
        (torch.ops.jumok.attend_edges, (scores.detach(), values.detach(), None, 1.0, prepared.tensors())),
    ):
        torch.library.opcheck(operator.default, arguments, test_utils=tests)


class Largest(TorchDispatchMode):
    """Watches the size of everything that is computed."""

    elements = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for tensor in _pytree.tree_leaves(result):
            if isinstance(tensor, Tensor) and tensor.layout == torch.strided:
                self.elements = max(self.elements, tensor.numel())
        return result


def test_nothing_as_large_as_edges_times_features_is_made(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_sums, "BLOCK_BYTES", 4 * 64 * 20)  # twenty edges
    layer = GraphAttention(8, 64, heads=2, version=version)  # type: ignore[arg-type]
    nodes, edges = torch.randn(10, 8, requires_grad=True), torch.randint(10, (2, 1000))
    with Largest() as largest:  # type: ignore[no-untyped-call]
        attended = layer(nodes, edges)
        gradients(layer, nodes, *attended)
    assert 2 * 1010 <= largest.elements < 5000  # the weights of all heads, or a block; not 1010 * 64 * 2


@pytest.mark.skipif(not torch.backends.mkl.is_available(), reason="torch was built without MKL")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_fast_sums_are_used_here(dtype: torch.dtype) -> None:
    assert edge_sums.has_fast_sums("cpu", dtype)
    assert not edge_sums.has_fast_sums("meta", dtype)


@pytest.mark.parametrize("self_loops", [True, False])
def test_no_nodes_at_all(version: int, self_loops: bool) -> None:
    layer = layer_of(version, self_loops=self_loops)
    attended = layer(torch.zeros(0, SIZE).double(), torch.zeros(2, 0).long())
    assert (attended.context.shape, attended.weights.shape) == ((0, 6), (0, 2))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_finite_and_near(path: str, version: int, dtype: torch.dtype) -> None:
    layer, nodes = layer_of(version), random_nodes()
    exact = layer(nodes, EDGES)
    layer, halves = layer.to(dtype), nodes.detach().to(dtype).requires_grad_()
    attended = layer(halves, EDGES)
    assert (attended.context.dtype, attended.weights.dtype) == (dtype, dtype)
    assert_close(attended.context.double(), exact.context, rtol=0.05, atol=0.05)
    assert_close(attended.weights.double(), exact.weights, rtol=0.05, atol=0.05)
    assert all(gradient.isfinite().all() for gradient in gradients(layer, halves, *attended))


def test_weights_of_a_call_without_gradient_have_none(version: int) -> None:
    layer, nodes = layer_of(version), random_nodes()
    with torch.no_grad():
        quiet = layer(nodes, EDGES)
    assert not quiet.weights.requires_grad
    attended = layer(nodes, EDGES)
    with torch.no_grad():
        assert attended.weights.requires_grad


def test_the_record_is_a_pytree(version: int) -> None:
    attended = layer_of(version)(random_nodes(), EDGES)
    copy = _pytree.tree_map_only(Tensor, torch.clone, attended)
    assert_close(list(copy), list(attended))
    assert_close(copy.self_weights, attended.self_weights)
    assert repr(copy) == "AttendedEdges(context=(7, 6), weights=(14, 2))"


@pytest.mark.parametrize(
    ("edges", "error", "message"),
    [
        (EDGES.t(), ValueError, r"edges: expected shape \(2, E\), sources above targets, got \(14, 2\)"),
        (EDGES[0], ValueError, r"edges: expected shape \(2, E\), sources above targets, got \(14,\)"),
        (EDGES.float(), TypeError, r"edges: expected whole numbers, got torch.float32 of shape \(2, 14\)"),
        (EDGES > 0, TypeError, r"edges: expected whole numbers, got torch.bool of shape \(2, 14\)"),
        (EDGES + EDGES // 4 * 3, ValueError, r"edges: node 7 at column 3, but there are only 7 nodes"),
        (EDGES - 1, ValueError, r"edges: node -1 at column 0, but nodes are numbered from 0"),
        (prepare_edges(EDGES, 9), ValueError, r"edges: prepared for 9 nodes, but nodes holds 7"),
        (
            prepare_edges(EDGES, 7, self_loops=False),
            ValueError,
            r"edges: prepared with self_loops=False, unlike this layer",
        ),
    ],
)
def test_wrong_edges_are_named(edges: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        layer_of(2)(random_nodes(), edges)


@pytest.mark.parametrize("shape", [(7, 5), (2, 7, 4), (4,)])
def test_wrong_nodes_are_named(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"^nodes: expected shape \(N, 4\), got \(") as told:
        layer_of(2)(torch.zeros(shape), EDGES)
    assert str(shape) in str(told.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"in_size": 0}, "in_size: must be at least 1, got 0"),
        ({"out_size": -1}, "out_size: must be at least 1, got -1"),
        ({"heads": 0}, "heads: must be at least 1, got 0"),
        ({"version": 3}, r"version: expected 1 \(GAT\) or 2 \(GATv2\), got 3"),
        ({"dropout": 1.0}, "dropout: must be from 0 to below 1, got 1.0"),
        ({"negative_slope": -0.1}, "negative_slope: must be 0 or more, got -0.1"),
        ({"version": 1, "share_weights": True}, "share_weights: version 1 has only one W; leave it out, or set"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        GraphAttention(**{"in_size": 4, "out_size": 3} | settings)


class Dictionary(nn.Module):
    """One head that reads a dictionary: the query (attribute, ?) asks all keys (attribute, value) for its value."""

    def __init__(self, keys: int, size: int, version: Any) -> None:
        super().__init__()
        self.attribute, self.value = nn.Embedding(keys, size), nn.Embedding(keys + 1, size)
        self.attend = GraphAttention(size, size, version=version, self_loops=False)
        self.predict = nn.Linear(size, keys)

    def forward(self, attributes: Tensor, values: Tensor, edges: PreparedEdges) -> Tensor:
        context = self.attend(self.attribute(attributes) + self.value(values), edges).context
        predicted: Tensor = self.predict(context.relu())
        return predicted


def dictionaries(count: int, keys: int) -> tuple[Tensor, Tensor, Tensor]:
    """Attributes and values of graphs, in each the queries then the keys; edges from every key to every query."""
    attributes = torch.arange(keys).repeat(count, 2)  # (count, 2 * keys)
    values = torch.stack([torch.randperm(keys) for _ in range(count)])
    values = torch.cat([torch.full_like(values, keys), values], 1)  # ? is the number after the last value
    pairs = torch.cartesian_prod(torch.arange(keys, 2 * keys), torch.arange(keys)).t()
    edges = pairs[:, None] + 2 * keys * torch.arange(count)[:, None]  # (2, count, keys * keys)
    return attributes, values, edges.flatten(1)


def learned_accuracy(version: int, keys: int = 10, count: int = 100, steps: int = 400) -> float:
    attributes, values, pairs = dictionaries(count, keys)
    edges = prepare_edges(pairs, attributes.numel(), self_loops=False)
    answers = values[:, keys:].flatten()
    model = Dictionary(keys, 32, version)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        logits = model(attributes.flatten(), values.flatten(), edges).unflatten(0, (count, -1))
        predicted = logits[:, :keys].flatten(0, 1)
        accuracy: float = (predicted.argmax(-1) == answers).double().mean().item()
        if accuracy == 1:
            break
        optimizer.zero_grad()
        nn.functional.cross_entropy(predicted, answers).backward()
        optimizer.step()
    return accuracy


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Small steps are fastest alone, and do not wait for each other on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_gatv2_reads_a_dictionary_and_gat_cannot() -> None:
    """DictionaryLookup (Brody et al. 2022, section 4.1): every query must prefer another key."""
    assert learned_accuracy(version=2) == 1
    assert learned_accuracy(version=1) < 0.5
