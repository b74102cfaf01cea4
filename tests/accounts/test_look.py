"""The look, held to its promises: contrast in both themes, our own frame on every page, nothing inline."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from games import KEYS
from tests.accounts.conftest import PASSWORD, Visitor

ROOT = Path(settings.BASE_DIR)
TOKENS = (ROOT / "static/css/tokens.css").read_text()
THEMES = ("light", "dark")
GROUNDS = ("paper", "table", "surface", "raised")
TEXT, GRAPHIC = 4.5, 3.0
"""The least contrast of text and of the parts that make a control or a tile visible (WCAG 2.2, 1.4.3 and 1.4.11)."""


def colour(name: str, theme: str) -> str:
    """The colour of a token, as `#rrggbb`."""
    pair = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\);", TOKENS)
    if pair:
        return pair[1 + THEMES.index(theme)]
    single = re.search(rf"--{name}: (#\w+);", TOKENS)
    assert single, f"tokens.css has no --{name}"
    return single[1]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, theme: str) -> float:
    """The contrast ratio of two tokens."""
    dark, light = sorted((luminance(colour(one, theme)), luminance(colour(other, theme))))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("ink", "ground"),
    [(ink, ground) for ink in ("ink", "ink-soft", "accent", "good", "warn", "bad") for ground in GROUNDS]
    + [(ink, f"{ink}-wash") for ink in ("accent", "good", "warn", "bad")]
    + [("ink", f"{wash}-wash") for wash in ("accent", "good", "warn", "bad")]
    + [("accent-ink", "accent"), ("paper", "ink")],
)
def test_text_stands_out_from_every_ground_it_is_set_on(ink: str, ground: str, theme: str) -> None:
    assert contrast(ink, ground, theme) >= TEXT


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("line", ["line-strong", "focus", "accent"])
def test_controls_and_focus_can_be_seen_on_every_ground(line: str, ground: str, theme: str) -> None:
    assert contrast(line, ground, theme) >= GRAPHIC


TILES = re.findall(r"--tile-(\w+):", TOKENS)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("tile", TILES)
def test_a_tile_and_its_mark_can_be_seen(tile: str, theme: str) -> None:
    assert contrast(f"tile-{tile}-ink", f"tile-{tile}", theme) >= GRAPHIC
    for ground in ("paper", "table", "surface"):
        assert max(contrast(f"tile-{tile}", ground, theme), contrast(f"tile-{tile}-edge", ground, theme)) >= GRAPHIC


def test_every_tile_colour_has_a_mark_of_its_own_and_a_class() -> None:
    marks = dict(re.findall(r'<symbol id="mark-(\w+)"[^>]*>(.*?)</symbol>', (ROOT / "templates/partials/marks.svg").read_text()))
    styles = (ROOT / "static/css/components.css").read_text()
    assert set(marks) == set(TILES)
    assert len(set(marks.values())) == len(TILES)
    assert all(f".tile-{tile} {{" in styles for tile in TILES)
    variants = [colours for key in KEYS for colours in _colours(key)]
    assert set(variants) <= set(TILES)


def _colours(key: str) -> list[str]:
    from games import registry

    return [colour for variant in registry.get(key).variants for seat in variant.colours for colour in seat]


@pytest.mark.parametrize("sheet", sorted((ROOT / "static/css").glob("*.css")), ids=lambda path: path.name)
def test_stylesheets_use_only_values_that_exist(sheet: Path) -> None:
    text = sheet.read_text()
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    # The staff's pages are those of Django, in its own colours.
    tokens = Path(finders.find("admin/css/base.css")).read_text() if sheet.name == "staff.css" else TOKENS
    defined = set(re.findall(r"(--[\w-]+):", tokens + text))
    assert used <= defined


@pytest.mark.parametrize("template", sorted((ROOT / "templates").rglob("*.*")), ids=lambda path: path.name)
def test_templates_hold_nothing_inline_and_name_no_game(template: Path) -> None:
    text = template.read_text()
    inline = r"\son[a-z]+=|javascript:"
    if "mail" not in template.parts:  # a mail brings its style along
        inline += r"|<style|\sstyle="
    assert not re.search(inline, text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search("|".join(KEYS), text, re.IGNORECASE)


PUBLIC = (
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_email_verification_sent",
    "account_inactive",
)
OWN = ("account_email", "account_change_password", "account_logout", "account_reauthenticate", "mfa_index", "usersessions_list")
FACTORS = ("mfa_activate_totp", "mfa_add_webauthn", "mfa_list_webauthn")


def in_our_frame(page: str) -> None:
    """The page comes through base.html, with nothing inline that the content security policy would refuse."""
    assert 'class="site-header"' in page
    assert 'id="announcer"' in page
    assert page.count("<h1") == 1
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)
    for tag in re.findall(r"<script[^>]*>", page):
        assert " src=" in tag or 'type="application/json"' in tag, tag
    assert not re.search(r"<title>\s*·", page)


@pytest.mark.parametrize("name", PUBLIC)
def test_pages_for_outsiders_are_in_our_frame(visitor: Visitor, name: str) -> None:
    in_our_frame(visitor.get(reverse(name)).content.decode())


@pytest.mark.parametrize("name", OWN)
def test_pages_of_an_account_are_in_our_frame(visitor: Visitor, account: Callable[..., User], name: str) -> None:
    account("Ann")
    visitor.sign_in("Ann")
    answer = visitor.get(reverse(name))
    assert answer.status_code == 200
    in_our_frame(answer.content.decode())


def test_pages_of_the_second_factor_are_in_our_frame(visitor: Visitor, account: Callable[..., User]) -> None:
    ann = account("Ann")
    visitor.sign_in("Ann")
    assert "reauthenticate" in visitor.get(reverse(FACTORS[0]))["Location"]
    visitor.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for name in FACTORS:
        answer = visitor.get(reverse(name))
        assert answer.status_code == 200, name
        in_our_frame(answer.content.decode())
    TOTP.activate(ann, generate_totp_secret())
    visitor.post(reverse("mfa_generate_recovery_codes"))
    for name in ("mfa_index", "mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"):
        in_our_frame(visitor.get(reverse(name)).content.decode())
    visitor.sign_out()
    in_our_frame(visitor.sign_in("Ann", follow=True).content.decode())
    assert visitor.user_id is None


@pytest.mark.parametrize("path", ["/", "/components/", *(f"/games/{key}/" for key in KEYS)])
def test_our_own_pages_are_in_our_frame(visitor: Visitor, path: str) -> None:
    page = visitor.get(path).content.decode()
    assert 'class="site-header"' in page
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)


@pytest.mark.parametrize("template", ["400.html", "403.html", "403_csrf.html", "404.html", "429.html"])
def test_errors_are_told_in_our_frame(rf: object, template: str) -> None:
    in_our_frame(render_to_string(template))


def test_the_page_for_a_broken_site_needs_nothing_of_it() -> None:
    text = (ROOT / "templates/500.html").read_text()
    assert not re.search(r"{%|{{", text)
    for path in re.findall(r'(?:href|src)="/static/([^"]+)"', text):
        assert (ROOT / "static" / path).exists(), path


def test_ids_are_unique_on_the_page_of_components(visitor: Visitor) -> None:
    ids = re.findall(r'\sid="([^"]+)"', visitor.get("/components/").content.decode())
    assert len(ids) == len(set(ids))
