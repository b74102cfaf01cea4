"""Compute the keys of names anew: strokes through letters and capitals of other alphabets no longer tell names apart."""

from typing import Any

from django.db import migrations

from accounts.names import hashed, skeleton


def compute(apps: Any, schema_editor: Any) -> None:
    """Where two accounts share a key now, the older keeps it and the newer its former one, which nobody else can have."""
    people, had = apps.get_model("accounts", "User").objects, apps.get_model("accounts", "FormerName").objects
    for user in people.filter(is_guest=False).order_by("pk").iterator():
        key = skeleton(user.username)
        if key != user.name_key and not people.filter(name_key=key).exists():
            people.filter(pk=user.pk).update(name_key=key)
    for former in had.exclude(name="").iterator():
        key = hashed(skeleton(former.name))
        if key != former.key_hash and not had.filter(key_hash=key).exists():
            had.filter(pk=former.pk).update(key_hash=key)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_profiles_names_and_sanctions")]
    operations = [migrations.RunPython(compute, migrations.RunPython.noop)]
