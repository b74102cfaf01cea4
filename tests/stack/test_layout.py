"""The shape of the repository that the tools rely on."""

from stack.places import ROOT


def test_site_is_no_package() -> None:
    """With an `__init__.py`, `site.config` could not be imported, since the standard library's `site` is loaded first;
    and where that module is not frozen, our folder would hide it, and with it the packages of the virtual environment."""
    assert not (ROOT / "site" / "__init__.py").exists()
