"""`jumok tour`: a short tour, from a dictionary that finds only what is there to attention that learns."""

from __future__ import annotations

import torch
from rich.console import RenderableType
from torch import Tensor

from jumok.attention import SoftDictionary, build
from jumok.cli.drawing import bars
from jumok.cli.speaking import Page, locale_language
from jumok.viewing import AttentionMap

THINGS = {"computer": 9, "dog": 2, "cat": 3}
PUPPY = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
SURNAMES = {
    "Zhang": "Aston",
    "Lipton": "Zachary",
    "Li": "Mu",
    "Smola": "Alex",
    "Hu": "Rachel",
    "Werness": "Brent",
}
# has legs? barks? has a keyboard?
VECTORS = {"computer": (0.0, 0.0, 1.0), "dog": (1.0, 1.0, 0.0), "cat": (1.0, 0.0, 0.0)}
PUPPY_VECTOR = (1.0, 0.8, 0.0)
ENGLISH = ("I", "yesterday", "in the park", "a cat", "saw")
KOREAN = ("나는", "어제", "공원에서", "고양이를", "봤다")


def tour(language: str | None = None) -> None:
    """Prints the whole tour, in `language` ("en" or "ko") or in that of the locale."""
    torch.set_num_threads(1)  # the tensors are tiny; on a busy machine threads would only wait for each other
    page = Page(language or locale_language())
    page.title("jumok 주목: a short tour of attention", "jumok 주목: 어텐션 둘러보기")
    for chapter in (exact_match, similarity, softmax, names, vectors, learning):
        chapter(page)
    page.say("")
    page.say(
        "Next: docs/attention.md walks the same way with every equation beside its line of Python.",
        "다음: docs/attention.ko.md에서 같은 길을 수식, 코드와 함께 따라갈 수 있습니다.",
    )


def exact_match(page: Page) -> None:
    page.title("1. A dictionary finds only what is exactly there", "1. 딕셔너리는 똑같은 키만 찾습니다")
    things = SoftDictionary(THINGS, similarity="exact")
    page.code('things = SoftDictionary({"computer": 9, "dog": 2, "cat": 3}, similarity="exact")')
    page.code('things["dog"]', f"{things['dog']:g}")
    try:
        things["puppy"]
    except KeyError as error:
        page.code('things["puppy"]', f"KeyError: {error}")
    page.say(
        "Found or not found: to come a little nearer changes nothing. The gradient is zero, "
        "and nothing can be learned.",
        "있거나 없거나 둘 중 하나입니다. 조금 더 비슷해져도 답이 달라지지 않습니다. "
        "그래디언트가 0이라서 아무것도 배울 수 없습니다.",
    )


def similarity(page: Page) -> None:
    page.title("2. Ask how similar the keys are instead", "2. 똑같은지 대신 얼마나 비슷한지 묻습니다")
    page.say(
        "Say that a puppy is .1 like a computer, .9 like a dog and .7 like a cat. "
        "Now every key has a share in the answer: its weight.",
        "puppy가 computer와는 .1, dog와는 .9, cat과는 .7만큼 비슷하다고 합시다. "
        "이제 모든 키가 비슷한 만큼 답에 몫을 보탭니다. 이 몫이 가중치입니다.",
    )
    things = SoftDictionary(THINGS, similarity=how_similar, normalize="sum")
    answer = things.look("puppy")
    page.code('things = SoftDictionary({...}, similarity=how_similar, normalize="sum")')
    page.code('things["puppy"]', f"{answer.value:.4f}")
    page.draw(bars(answer.pairs))


def how_similar(query: str, key: str) -> float:
    """A similarity that somebody has made up for one query."""
    return PUPPY[key] if query == "puppy" else float(query == key)


def softmax(page: Page) -> None:
    page.title("3. Softmax, and its temperature", "3. softmax와 온도")
    page.say(
        "Softmax makes weights of any scores, negative ones too. "
        "The lower the temperature, the more the look rests on one key.",
        "softmax는 음수를 포함해 어떤 점수든 가중치로 바꿉니다. 온도가 낮을수록 한 키에 더 주목합니다.",
    )
    for temperature in (1.0, 0.2, 0.05):
        things = SoftDictionary(THINGS, similarity=how_similar, normalize="softmax", temperature=temperature)
        answer = things.look("puppy")
        page.code(f"things = SoftDictionary({{...}}, similarity=how_similar, temperature={temperature:g})")
        page.code('things["puppy"]', f"{answer.value:.4f}")
        page.draw(bars(answer.pairs))


def names(page: Page) -> None:
    page.title("4. Answers that cannot be averaged", "4. 평균을 낼 수 없는 값")
    page.say(
        "A database of surnames, asked by spelling. Names have no mean, so the likeliest one is the answer.",
        "성으로 이름을 찾는 데이터베이스입니다. 이번에는 철자가 얼마나 비슷한지 봅니다. "
        "이름은 평균을 낼 수 없으므로 가중치가 가장 큰 이름이 답입니다.",
    )
    people = SoftDictionary(SURNAMES, similarity="spelling")
    page.code('people = SoftDictionary({"Zhang": "Aston", "Lipton": "Zachary", ...}, similarity="spelling")')
    page.code('people["Li"]', repr(people["Li"]))
    page.draw(bars(people.look("Li").pairs))
    del people["Li"]
    page.code('del people["Li"]')
    page.code('people["Li"]', repr(people["Li"]))
    page.draw(bars(people.look("Li").pairs))


def vectors(page: Page) -> None:
    page.title("5. With vectors, it is attention", "5. 벡터를 쓰면 그것이 어텐션입니다")
    page.say(
        "Each word is now a vector (has legs? barks? has a keyboard?), and similarity is the cosine. "
        "This is a query, keys and values.",
        "이제 단어마다 벡터(다리가 있는가, 짖는가, 자판이 있는가)가 있고, 유사도는 코사인입니다. "
        "쿼리, 키, 값이 모두 갖추어졌습니다.",
    )
    keys = {VECTORS[name]: value for name, value in THINGS.items()}
    things = SoftDictionary(keys, similarity="cosine", temperature=0.1)
    answer = things.look(PUPPY_VECTOR)
    page.code("keys = {(0.0, 0.0, 1.0): 9, (1.0, 1.0, 0.0): 2, (1.0, 0.0, 0.0): 3}")
    page.code('things = SoftDictionary(keys, similarity="cosine", temperature=0.1)')
    page.code("things[1.0, 0.8, 0.0]", f"{answer.value:.4f}")
    page.draw(bars(zip(VECTORS, (weight for _, weight in answer.pairs), strict=True)))


def learning(page: Page) -> None:
    page.title("6. And it can be learned", "6. 그리고 학습할 수 있습니다")
    page.say(
        "Each Korean word holds a random number. Asked in English, attention must answer with the number "
        "of the word that means the same. Nobody says which word that is: it learns from the answers alone.",
        "한국어 단어마다 무작위 수가 하나씩 들어 있습니다. 영어 단어로 물으면 뜻이 같은 단어의 수를 "
        "답해야 합니다. 어느 단어를 볼지는 아무도 알려 주지 않습니다. 정답과의 차이만 보고 배웁니다.",
    )
    page.code('attend = build("additive", query_size=8, key_size=8, hidden_size=16)')
    before, after = trained_weights(steps=200)
    page.say("Before training:", "학습하기 전:")
    page.draw(look_of(before))
    page.say("After 200 steps:", "200번 학습한 뒤:")
    page.draw(look_of(after))


def look_of(weights: Tensor) -> RenderableType:
    """The weights as a drawing."""
    return AttentionMap.from_arrays(weights, ENGLISH, KOREAN, row_name="asked", column_name="looked at").draw()


def trained_weights(steps: int) -> tuple[Tensor, Tensor]:
    """The weights of English words on Korean ones, before and after attention has learned from answers."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        attend = build("additive", query_size=8, key_size=8, hidden_size=16)
        english, korean = torch.randn(2, len(KOREAN), 8)
        optimizer = torch.optim.Adam(attend.parameters(), lr=0.03)

        def look(values: Tensor) -> tuple[Tensor, Tensor]:
            context, weights = attend(english.expand(len(values), -1, -1), korean.expand(len(values), -1, -1), values)
            return context, weights

        before = look(torch.zeros(1, len(KOREAN), 1))[1]
        for _ in range(steps):
            values = torch.randn(16, len(KOREAN), 1)
            loss = (look(values)[0] - values).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        after = look(torch.zeros(1, len(KOREAN), 1))[1]
    return before[0].detach(), after[0].detach()
