"""The site: formulas become MathML, docstrings become Markdown, and the reference names every part."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import jumok

ROOT = Path(__file__).parent.parent


def loaded(name: str) -> ModuleType:
    pytest.importorskip("mkdocs", reason="the docs tools are not installed")
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs/hooks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def mathml() -> ModuleType:
    return loaded("mathml")


def rendered(mathml: ModuleType, text: str) -> str:
    markdown = pytest.importorskip("markdown")
    extensions = ["pymdownx.arithmatex", "pymdownx.superfences"]
    page = markdown.markdown(text, extensions=extensions, extension_configs={extensions[0]: {"generic": True}})
    return str(mathml.to_mathml(page))


def test_formulas_become_mathml(mathml: ModuleType) -> None:
    page = rendered(mathml, "A score $e_{t,i} < 1$.\n\n$$\\alpha = \\frac{\\exp(e)}{\\sum_k \\exp(e_k)}$$\n")
    assert page.count("<math") == 2
    assert "<msub><mi>e</mi>" in page
    assert '<math display="block">' in page
    assert "<mfrac>" in page
    assert "arithmatex" not in page


def test_code_and_prices_stay(mathml: ModuleType) -> None:
    page = rendered(mathml, "From $5 to $6, `$x$`.\n\n```python\nx = '$y$'\n```\n")
    assert "<math" not in page
    assert "From $5 to $6, <code>$x$</code>" in page


@pytest.mark.parametrize("text", ["$x \\nosuchcommand$", "$x \\frac{1}$", "text $$x$$ text"])
def test_a_formula_that_cannot_be_read_is_an_error(mathml: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match=r"formula.* x"):
        rendered(mathml, text)


def test_docstrings_become_markdown() -> None:
    docstring = (
        "`a * b` (Somebody 2015).\n\nsize: of a query,\n    or of a key.\nscale, shift: two numbers.\n\n"
        "In words: a sentence.\n\n>>> 1 + 1\n2"
    )
    assert loaded("docstrings").to_markdown(docstring) == (
        "`a * b` (Somebody 2015).\n\n- `size`: of a query,\n    or of a key.\n- `scale`, `shift`: two numbers.\n\n"
        "In words: a sentence.\n\n```pycon\n>>> 1 + 1\n2\n```"
    )


@pytest.mark.parametrize("room", ["attention", "data", "models", "training"])
def test_the_reference_names_every_public_part_of_the_room(room: str) -> None:
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in (f"reference/{room}.md", "recipes.md")]
    named = re.findall(rf"^::: jumok\.{room}\.(\w+)$", "\n".join(pages), flags=re.MULTILINE)
    assert sorted(named) == sorted(getattr(jumok, room).__all__)


def test_the_reference_has_every_command_with_its_options() -> None:
    hook = loaded("commands")
    text = hook.on_page_markdown("<!-- commands -->\n\n<!-- recipe: karate -->", None)
    for name in ("translate", "caption", "answer", "predict", "classify", "recipes show", "data check", "studio"):
        assert f"## jumok {name}\n" in text
    assert re.search(r"\| `--beam` \| [^|]+ \| `5` \|", text)
    assert "inherits: graphs" in text
