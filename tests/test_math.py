from __future__ import annotations

import pytest

from exporter import math


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        (r"\mathrm{ELR}(t)=\frac{\eta(t)}{\lVert W(t)\rVert}", "ELR(t) = η(t)/‖W(t)‖"),
        (r"10^{-3}", "10⁻³"),
        (r"x^{a+b}_{ij}", "xᵢⱼ^(a + b)"),
        (r"\sqrt{x_i+1}\le\sin\theta", "√(xᵢ + 1) ≤ sin θ"),
        (r"\left(\frac{a+b}{2}\right)^2", "((a + b)/2)²"),
        (r"\hat{x}", "x\u0302"),
        (r"\mathbb{R}^d", "ℝ^d"),
        (r"|x|", "|x|"),
        (r"p<0.05", "p < 0.05"),
        (r"a\%b", "a%b"),
    ],
)
def test_a_formula_reads_as_one_line(tex: str, line: str) -> None:
    assert math.check(tex) is None
    assert math.linear(tex) == line


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"\frac{1}{", "never closed"),
        ("x}", "no {"),
        (r"\foo{x}", r"\foo"),
        ("x^", "not valid TeX"),
        (r"\left( x", "not valid TeX"),
        (r"\text{한}", "U+D55C"),
    ],
)
def test_a_formula_that_cannot_be_set_says_why(tex: str, reason: str) -> None:
    found = math.check(tex)
    assert found is not None
    assert reason in found


def test_a_drawing_is_outlines_with_its_depth() -> None:
    drawing = math.draw(r"\frac{1}{y}", size=20, color="#1f2328")
    assert "<text" not in drawing.svg
    assert "<use" not in drawing.svg
    assert drawing.svg.startswith("<svg")
    assert 0 < drawing.depth < drawing.height


def test_a_drawing_scales_with_its_size() -> None:
    small, large = math.draw("x+y", size=10), math.draw("x+y", size=20)
    assert large.width == pytest.approx(2 * small.width, rel=0.01)
    assert large.depth == pytest.approx(2 * small.depth, rel=0.01)


def test_a_formula_on_a_line_of_its_own_is_set_larger() -> None:
    assert math.draw(r"\frac{a}{b}", display=True).height > math.draw(r"\frac{a}{b}").height


def test_han_inside_a_formula_is_drawn_with_the_face_of_the_theme() -> None:
    from exporter.math_faces import face_for
    from exporter.theme import load_theme

    tex = r"x=\frac{\text{学习率}}{y}"
    assert math.check(tex) is None
    assert math.linear(tex) == "x = 学习率/y"
    face = face_for(tex, load_theme("base"))
    assert face is not None
    with_han, blank = math.draw(tex, han=face), math.draw(r"x=\frac{\text{   }}{y}")
    assert with_han.width > blank.width + 20
    assert with_han.svg.count("<path") == blank.svg.count("<path") + 3


def test_a_face_is_looked_for_only_when_a_formula_needs_one() -> None:
    from exporter.math_faces import face_for
    from exporter.theme import load_theme

    assert face_for("x+y", load_theme("base")) is None
