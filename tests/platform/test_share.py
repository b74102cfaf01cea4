"""Sharing: pictures of positions and matches, what messengers are told, and the frame on other sites."""

from __future__ import annotations

import base64
import io
import json
import re
from urllib.parse import quote, urlencode

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override
from PIL import Image, ImageDraw

from accounts.models import Sanction
from config.celery import app
from games import registry
from games.kit.protocol import laid_open
from matches import animation, lettering, pictures, scenes
from matches.models import Match, Move
from matches.replay import fold
from matches.services import abort
from pages.tasks import animate
from studies.models import Imported, Study
from tests.platform.conftest import NOW, now_at, play_on

pytestmark = pytest.mark.django_db
PICTURES = ("svg", "png", "preview")
BROWSER = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}


@pytest.fixture
def over(cast, table) -> Match:
    """A finished match of two people in which something was hidden."""
    return play_on(table("cards-2", cast.alice, cast.bob))


@pytest.fixture
def anybody() -> Client:
    return Client()


def states(match: Match) -> list:
    return [position.state for position in fold(match, Move.objects.filter(match=match).values_list("text", flat=True))]


def addresses(match: Match, ply: int = 1) -> list[str]:
    named = [reverse(f"match_{name}", args=[match.pk, ply]) for name in PICTURES]
    return [*named, *(reverse(f"match_{name}", args=[match.pk]) for name in ("webp", "gif", "embed"))]


def image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def told(page: str) -> dict[str, str]:
    """What the page says of itself."""
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))


# --- Pictures of a position


def test_the_picture_of_a_ply_shows_exactly_that_position_laid_open(over, anybody):
    for ply, state in enumerate(states(over)):
        drawn = over.rules.picture(over.variant, laid_open(state).view(None))
        svg = anybody.get(reverse("match_svg", args=[over.pk, ply]))
        png = anybody.get(reverse("match_png", args=[over.pk, ply]))
        assert (svg.content.decode(), svg.headers["Content-Type"]) == (drawn, "image/svg+xml")
        assert (png.content, png.headers["Content-Type"]) == (pictures.png(drawn, 1080), "image/png")
    assert anybody.get(reverse("match_svg", args=[over.pk, over.ply + 1])).status_code == 404


def test_a_scene_tells_names_and_scores_of_its_ply_and_who_won_at_the_end(over):
    record = scenes.record_of(over)
    for ply, state in enumerate(states(over)):
        scene = scenes.scene(record, ply)
        end = ply == over.ply
        assert [sitter.name for sitter in scene.sitters] == ["alice", "bob"]
        assert [sitter.score for sitter in scene.sitters] == (over.scores if end else list(state.scores()))
        assert [sitter.won for sitter in scene.sitters] == ([rank == 1 for rank in over.ranks] if end else [False, False])
    assert [step["scores"] for step in scenes.course(record)] == [[one.score for one in scene.sitters] for scene in scenes.scenes(record)]


def test_the_picture_for_messengers_has_their_size_and_another_board_for_another_ply(over, anybody):
    first, last = (image(anybody.get(reverse("match_preview", args=[over.pk, ply])).content).convert("RGB") for ply in (0, over.ply))
    assert first.size == last.size == (1200, 630)
    for box in ((45, 45, 735, 585), (900, 200, 1200, 520)):  # the board, the scores
        assert first.crop(box).tobytes() != last.crop(box).tobytes()


def test_a_picture_is_drawn_once_and_within_limits():
    svg = registry.get("cards").picture("cards-2", {"played": [[3], [2]]})
    assert pictures.png(svg, 200) is pictures.png(svg, 200)
    assert image(pictures.png(svg, 200)).width == 200
    for bad, width in ((svg, pictures.WIDEST + 1), (svg, 0), (svg + " " * pictures.LONGEST_SVG, 200), ("<svg", 200)):
        with pytest.raises(ValueError):
            pictures.png(bad, width)


def test_only_so_many_bytes_of_pictures_are_kept():
    kept = pictures._Kept(10)
    for name in ("a", "b", "a", "c"):
        if kept.get(name) is None:
            kept.put(name, b"1234")
    assert [kept.get(name) is not None for name in "abc"] == [True, False, True]


# --- Who may see what


def test_nothing_of_a_running_or_aborted_match_is_shared(cast, table, anybody):
    running = play_on(table("cards-2", cast.alice, cast.bob), 2)
    aborted = table("cards-2", cast.alice, "any")
    abort(aborted.pk, 0, now=NOW)
    for match in (running, now_at(aborted)):
        for client in (anybody, cast.at_browser(cast.alice)):
            assert {client.get(address).status_code for address in addresses(match)} == {404}
            page = client.get(reverse("replay", args=[match.pk])).content.decode()
            assert not told(page)
            assert "share-panel" not in page


def test_a_private_match_has_pictures_for_its_people_alone_and_no_frame(cast, table, anybody):
    match = play_on(table("cards-2", cast.alice, cast.bob, private=True))
    assert {client.get(address).status_code for client in (anybody, cast.at_browser(cast.carol)) for address in addresses(match)} == {404}
    alice = cast.at_browser(cast.alice)
    for address in addresses(match)[:3]:
        response = alice.get(address)
        assert response.status_code == 200
        assert "no-store" in response.headers["Cache-Control"]
    assert alice.get(reverse("match_embed", args=[match.pk])).status_code == 404
    page = alice.get(reverse("replay", args=[match.pk])).content.decode()
    assert not told(page)
    assert "share-panel" in page
    assert "&lt;iframe" not in page


def test_an_imported_record_and_a_shared_study_have_pictures_too(cast, over, anybody):
    record = scenes.record_of(over)
    more = {"owner": cast.alice, "game": "cards", "variant": "cards-2"}
    imported = Imported.objects.create(**more, record=record.to_json(), plies=over.ply, digest="d", made_at=NOW)
    study = Study.objects.create(**more, title="A line", plies=list(record.plies[:3]), made_at=NOW, changed_at=NOW)
    expected = anybody.get(reverse("match_svg", args=[over.pk, 2])).content
    assert anybody.get(reverse("imported_svg", args=[imported.token, 2])).content == expected
    whole = told(anybody.get(reverse("replay", args=[over.pk])).content.decode())
    of_imported = told(anybody.get(reverse("imported", args=[imported.token])).content.decode())
    assert of_imported["description"] == f"Imported record · {whole['description']}"
    assert anybody.get(reverse("study_preview", args=[study.token, 2])).status_code == 404
    Study.objects.update(shared=True)
    assert image(anybody.get(reverse("study_preview", args=[study.token, 2])).content).size == (1200, 630)
    assert anybody.get(reverse("study_svg", args=[study.token, 4])).status_code == 404
    tried = reverse("study_svg", args=[study.token, 2]) + "?" + urlencode({"move": record.plies[2:4]}, doseq=True)
    assert anybody.get(tried).content == anybody.get(reverse("match_svg", args=[over.pk, 4])).content
    assert anybody.get(reverse("study_svg", args=[study.token, 2]) + "?move=nonsense").status_code == 404
    over.private = True
    over.save()
    Study.objects.update(match=over)
    assert anybody.get(reverse("study_preview", args=[study.token, 2])).status_code == 404


def test_the_page_of_a_study_tells_the_position_that_its_address_names(cast, anybody):
    record = {"owner": cast.alice, "game": "blokus", "variant": "duo-2", "title": "A line", "shared": True}
    study = Study.objects.create(**record, plies=["e10"], made_at=NOW, changed_at=NOW)
    said = told(anybody.get(reverse("study", args=[study.token]) + "?ply=1&move=j5").content.decode())
    assert said["title"] == "A line"
    assert said["image"] == f"{settings.SITE_URL}{reverse('study_preview', args=[study.token, 1])}?move=j5"
    assert image(anybody.get(said["image"].removeprefix(settings.SITE_URL)).content).size == (1200, 630)


# --- What a page tells of itself


def test_a_link_to_a_ply_tells_that_ply_and_has_its_picture(over, anybody):
    page = anybody.get(reverse("replay", args=[over.pk]) + "?ply=3").content.decode()
    said = told(page)
    assert said["image"] == settings.SITE_URL + reverse("match_preview", args=[over.pk, 3])
    assert said["url"] == f"{settings.SITE_URL}{reverse('replay', args=[over.pk])}?ply=3"
    assert said["title"].startswith("alice – bob: ")
    assert said["description"] == f"Ply 3 of {over.ply}"
    whole = told(anybody.get(reverse("replay", args=[over.pk])).content.decode())
    assert whole["image"] == settings.SITE_URL + reverse("match_preview", args=[over.pk, over.ply])
    assert "won" in whole["description"] or "share the win" in whole["description"]


def test_a_ply_that_is_none_is_told_as_one_within_the_match(over, anybody):
    for asked, ply in (("999", over.ply), ("-4", 0), ("x", over.ply)):
        page = anybody.get(f"{reverse('replay', args=[over.pk])}?ply={asked}").content.decode()
        assert told(page)["image"].endswith(reverse("match_preview", args=[over.pk, ply]))


def test_another_site_learns_from_a_link_how_to_show_it(over, anybody):
    page = f"{settings.SITE_URL}{reverse('replay', args=[over.pk])}?ply=3"
    answer = anybody.get(f"{reverse('oembed')}?url={quote(page)}").json()
    assert (answer["type"], answer["version"]) == ("rich", "1.0")
    assert f'src="{settings.SITE_URL}{reverse("match_embed", args=[over.pk])}?ply=3"' in answer["html"]
    assert (answer["width"], anybody.get(f"{reverse('oembed')}?maxwidth=300&url={quote(page)}").json()["width"]) == (480, 300)
    for bad in ("", "https://elsewhere.example/match/1/", f"{settings.SITE_URL}/match/999999/replay/", settings.SITE_URL):
        assert anybody.get(f"{reverse('oembed')}?url={quote(bad)}").status_code == 404


# --- The frame


def test_only_the_frame_may_stand_on_other_sites(over, anybody):
    frame = anybody.get(reverse("match_embed", args=[over.pk]))
    assert "frame-ancestors *" in frame.headers["Content-Security-Policy"]
    assert "default-src 'self'" in frame.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame.headers
    for address in (reverse("replay", args=[over.pk]), reverse("home"), reverse("match_svg", args=[over.pk, 1])):
        page = anybody.get(address)
        assert page.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_frame_and_pictures_ask_nobody_who_they_are(cast, over):
    for client in (cast.at_browser(cast.alice), cast.at_browser(cast.guest())):
        for address in addresses(over):
            kind = {"Accept": "application/json"} if "animation" in address else BROWSER  # its page that waits is like all others
            response = client.get(address, headers=kind)
            assert response.status_code in {200, 202}
            assert "Cookie" not in response.headers.get("Vary", "")
            assert not response.cookies


def test_a_warning_that_waits_does_not_stand_in_a_frame(cast, over):
    alice = cast.at_browser(cast.alice)
    Sanction.objects.create(user=cast.alice, kind=Sanction.Kind.WARNING, reason="Be kind", made_at=NOW)
    assert alice.get(reverse("home"), headers=BROWSER).status_code == 302
    assert alice.get(reverse("match_embed", args=[over.pk]), headers=BROWSER).status_code == 200


def test_the_frame_can_be_stepped_through_without_scripts(over, anybody):
    page = anybody.get(reverse("match_embed", args=[over.pk]) + "?ply=2&theme=dark").content.decode()
    assert reverse("match_svg", args=[over.pk, 2]) in page
    steps = dict(re.findall(r'href="\?ply=(\d+)&amp;theme=dark" data-act="(\w+)"', page))
    assert steps == {"0": "first", "1": "back", "3": "forward", str(over.ply): "last"}
    assert 'data-theme="dark"' in page
    assert f'href="{settings.SITE_URL}{reverse("replay", args=[over.pk])}?ply=2"' in page


def test_the_code_for_a_frame_holds_nothing_that_a_name_put_there(cast, over, anybody):
    record = scenes.record_of(over).to_json() | {"seats": ['"><script>alert(1)</script>', "b"]}
    more = {"owner": cast.alice, "game": "cards", "variant": "cards-2", "plies": over.ply}
    imported = Imported.objects.create(**more, record=record, digest="d", made_at=timezone.now())
    page = anybody.get(reverse("imported_embed", args=[imported.token])).content.decode()
    assert "Imported record" in page
    answer = anybody.get(f"{reverse('oembed')}?url={quote(f'{settings.SITE_URL}/imported/{imported.token}/')}").json()
    assert "<script>alert" not in page
    assert "<script>" not in answer["html"]


# --- Moving pictures


def waiting() -> int:
    """How many messages lie in the queue."""
    with app.connection_for_read() as connection:
        return connection.default_channel.client.llen("analysis")


@pytest.mark.parametrize("kind", animation.KINDS)
def test_a_moving_picture_is_asked_for_once_and_then_there(over, anybody, kind):
    address, before = reverse(f"match_{kind}", args=[over.pk]), waiting()
    for _ in range(2):
        first = anybody.get(address, headers=BROWSER)
        assert (first.status_code, first.headers["Refresh"]) == (202, "2")
        assert anybody.get(address, headers={"Accept": "application/json"}).json() == {"ready": False}
    assert waiting() == before + 1
    animate(*queued()[-1])
    moving = anybody.get(address)
    assert (moving.status_code, moving.headers["Content-Type"]) == (200, f"image/{kind}")
    assert anybody.get(address, headers={"Accept": "application/json"}).json() == {"ready": True}
    scenes_shown = [scene for scene in scenes.scenes(scenes.record_of(over)) if not scene.drawing]
    assert image(moving.content).n_frames == len(scenes_shown)


def queued() -> list[list]:
    """What the worker will be called with, oldest first."""
    with app.connection_for_read() as connection:
        raw = connection.default_channel.client.lrange("analysis", 0, -1)
    return [json.loads(base64.b64decode(json.loads(one)["body"]))[0] for one in reversed(raw)]


def test_a_long_match_moves_in_few_steps_from_its_start_to_its_end(over, monkeypatch):
    monkeypatch.setattr(animation, "MOST_FRAMES", 5)
    record = scenes.record_of(over)
    moving = image(animation.animated(record, "webp"))
    assert moving.n_frames == 5
    size = len(animation.animated(record, "gif"))
    monkeypatch.setattr(animation, "LARGEST", size - 1)
    small = animation.animated(record, "gif")
    assert (image(small).n_frames, len(small) < size) == (3, True)


def test_a_busy_machine_draws_fewer_positions_in_its_time(over, monkeypatch):
    monkeypatch.setattr(animation, "SECONDS", 0)
    monkeypatch.setattr(animation, "FEWEST", 4)
    assert image(animation.animated(scenes.record_of(over), "webp")).n_frames == 4


def test_a_moving_picture_shows_each_position_as_it_is_and_stays_at_the_last(over):
    record = scenes.record_of(over)
    shown = [scene for scene in scenes.scenes(record) if not scene.drawing]
    moving = image(animation.animated(record, "webp"))
    durations = []
    for number, scene in enumerate(shown):
        moving.seek(number)
        assert moving.convert("RGB").tobytes() == animation._frame(scene).tobytes()
        durations.append(moving.info["duration"])
    assert (set(durations[:-1]), durations[-1]) == ({animation.STEP}, animation.LAST)


def test_a_match_that_cannot_be_played_has_no_moving_picture(over, anybody):
    address = reverse("match_webp", args=[over.pk])
    Move.objects.filter(match=over, ply=1).delete()
    assert anybody.get(address).status_code == 202
    animate(*queued()[-1])
    assert {anybody.get(address).status_code for address in addresses(over)[:-2]} == {404}
    assert "not there" in anybody.get(reverse("match_embed", args=[over.pk])).content.decode()


# --- Letters


def test_letters_that_no_typeface_has_are_known_beforehand():
    assert lettering.can_write("Ålice von Łódź, 12")
    assert not lettering.can_write("a\U0010fffd")


def test_a_line_that_is_too_long_is_cut_where_its_room_ends():
    canvas = Image.new("RGB", (400, 60), "#ffffff")
    draw = ImageDraw.Draw(canvas)
    whole = lettering.width_of("A name of some length", 30)
    assert lettering.write(draw, (0, 40), "A name of some length", 30, "#000000", room=whole) == whole
    assert 0 < lettering.write(draw, (0, 40), "A name of some length", 30, "#000000", room=whole - 40) <= whole - 40


def test_where_a_machine_has_no_letters_for_a_language_pictures_speak_ours(monkeypatch):
    monkeypatch.setattr(lettering, "_PLACES", ())
    for cached in (lettering._of_the_system, lettering._path_for):
        cached.cache_clear()
    try:
        for language, spoken in (("zh-hant", "en"), ("fr", "fr")):
            with override(language), lettering.legible():
                assert get_language() == spoken
    finally:
        for cached in (lettering._of_the_system, lettering._path_for):
            cached.cache_clear()
