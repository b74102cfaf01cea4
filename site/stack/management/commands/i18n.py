"""The command `i18n`: collects the sentences to translate, compiles the translations, and checks that none is missing.

No gettext is needed on the machine.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from django.conf import settings
from django.core.management import BaseCommand

from stack import sentences
from stack.catalogues import DOMAINS, SOURCE_LANGUAGE, compile_all, po_file, read

HELP = """
extract   bring the .po files up to date with the sources: new sentences come in empty, those no longer said go
compile   make the .mo files, which Django reads (`up` and the tests do it by themselves)
check     fail when a sentence has no translation, or its placeholders or tags differ
"""


class Command(BaseCommand):
    """Exit codes: 0 all is well, 1 a check failed, 2 wrong usage."""

    help = HELP
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        languages = [code for code, _ in settings.LANGUAGES if code != SOURCE_LANGUAGE]
        parser.add_argument("action", choices=("extract", "compile", "check"))
        parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=f"some of {', '.join(languages)} (default: all)")

    def handle(self, *args: Any, action: str, languages: list[str], **options: Any) -> None:
        chosen = languages or [code for code, _ in settings.LANGUAGES if code != SOURCE_LANGUAGE]
        if action == "extract":
            self._extract(chosen)
        elif action == "compile":
            self.stdout.write(f"{compile_all()} catalogues compiled.")
        else:
            faults = [fault for language in chosen for fault in sentences.faults(language)]
            for fault in faults:
                self.stderr.write(fault)
            if faults:
                self.stderr.write(f"{len(faults)} faults.")
                sys.exit(1)

    def _extract(self, languages: list[str]) -> None:
        for domain in DOMAINS:
            template = sentences.extract(domain)
            for language in languages:
                path = po_file(language, domain)
                catalogue = read(path) if path.exists() else Catalog(path.parents[1].name, domain, project="Tessera", fuzzy=False)
                catalogue.update(template, no_fuzzy_matching=True)
                catalogue.obsolete.clear()
                catalogue.fuzzy = False
                path.parent.mkdir(parents=True, exist_ok=True)
                with open(path, "wb") as file:
                    write_po(file, catalogue, width=0, sort_by_file=True, include_lineno=False, omit_header=False)
                left = sum(1 for message in catalogue if message.id and not any(sentences.texts_of(message)))
                self.stdout.write(f"{language} {domain}: {len(catalogue)} sentences, {left} to translate")
