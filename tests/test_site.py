"""Formulas of the site become MathML, code stays code, and a formula that cannot be read stops the build."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    pytest.importorskip("mkdocs", reason="the docs tools are not installed")
    spec = importlib.util.spec_from_file_location("mathml", ROOT / "docs/hooks/mathml.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rendered(hook: ModuleType, text: str) -> str:
    markdown = pytest.importorskip("markdown")
    extensions = ["pymdownx.arithmatex", "pymdownx.superfences"]
    page = markdown.markdown(text, extensions=extensions, extension_configs={extensions[0]: {"generic": True}})
    return str(hook.to_mathml(page))


def test_formulas_become_mathml(hook: ModuleType) -> None:
    page = rendered(hook, "A score $e_{t,i} < 1$.\n\n$$\\alpha = \\frac{\\exp(e)}{\\sum_k \\exp(e_k)}$$\n")
    assert page.count("<math") == 2
    assert "<msub><mi>e</mi>" in page
    assert '<math display="block">' in page
    assert "<mfrac>" in page
    assert "arithmatex" not in page


def test_code_and_prices_stay(hook: ModuleType) -> None:
    page = rendered(hook, "From $5 to $6, `$x$`.\n\n```python\nx = '$y$'\n```\n")
    assert "<math" not in page
    assert "From $5 to $6, <code>$x$</code>" in page


@pytest.mark.parametrize("text", ["$\\nosuchcommand{x}$", "$\\frac{1}$", "text $$x$$ text"])
def test_a_formula_that_cannot_be_read_is_an_error(hook: ModuleType, text: str) -> None:
    with pytest.raises((hook.LatexError, ValueError)):
        rendered(hook, text)
