"""theme.toml: tokens that nothing reads and values of another kind are errors with their lines."""

from pathlib import Path

import pytest

from exporter.errors import ThemeError
from exporter.theme import Theme, load_theme


def theme(folder: Path, text: str) -> Theme:
    """Load a theme over base from the text of its theme.toml."""
    (folder / "mine").mkdir()
    (folder / "mine" / "theme.toml").write_text(text, encoding="utf-8")
    return load_theme(str(folder / "mine"))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('\n[color]\nacent = "#000000"\n', 3, "unknown token color.acent, did you mean color.accent?"),
        (
            "[print]\nlink_underline = 1\n",
            2,
            "unknown token print.link_underline, did you mean print.link-underline?",
        ),
        ("[prnt]\nline = 18\n", 1, "unknown token prnt, did you mean print?"),
        ('name = "x"\n[print]\nline = "18pt"\n', 3, 'print.line must be a number, not "18pt"'),
        ("[print]\nline = nan\n", 2, "print.line must be a number, not nan"),
        ("[print]\njustify = 1\n", 2, "print.justify must be true or false, not 1"),
        ("[print]\nwidow = true\n", 2, "print.widow must be a number, not true"),
        ('[color]\nink = "black"\n', 2, 'color.ink must be a color as #rrggbb, not "black"'),
        ("[print.type]\ntitle = [24]\n", 2, "print.type.title must be a list of 2 numbers, not [24]"),
        ('[font.text]\nlatin = [\n  "A",\n  3,\n]\n', 2, "font.text.latin must be a list of texts, not ['A', 3]"),
        ("color = 3\n", 1, "color must be a table [color], not 3"),
        ("[color.ink]\nx = 1\n", 1, "color.ink must be a color as #rrggbb, not a table"),
        ("[print.page.b5]\nwidht = 3\n", 2, "unknown token print.page.b5.widht, did you mean print.page.b5.width?"),
        ("[mail.font.ja]\ntext = 3\n", 2, "mail.font.ja.text must be a text, not 3"),
        ("extends = 3\n", 1, "extends must be a text, not 3"),
    ],
)
def test_a_wrong_token_is_named_with_its_line(text: str, line: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(ThemeError) as caught:
        theme(tmp_path, text)
    assert caught.value.message == f"{tmp_path / 'mine' / 'theme.toml'}:{line}: {words}"


def test_all_wrong_tokens_come_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(ThemeError) as caught:
        theme(tmp_path, '[print]\nsise = 10\nline = "x"\n[color]\nzzzz = "#000000"\n')
    lines = caught.value.message.splitlines()
    assert [each.split("theme.toml:")[1].split(":")[0] for each in lines] == ["2", "3", "5"]
    assert "color.ink" in lines[2]


def test_papers_languages_and_a_description_may_be_added(tmp_path: Path) -> None:
    found = theme(
        tmp_path,
        'name = "x"\ndescription = "d"\n[print]\nline = 18.5\n'
        '[print.page.b5]\nwidth = 499\nline = 17\nsize = 9\n[mail.font.ja]\ntext = "serif"\n',
    )
    assert found.token("print.page.b5.line") == 17
    assert found.token("mail.font.ja.text") == "serif"
    assert found.token("description") == "d"
