"""Keeps who moved on the ladders, what a challenge offers and how it ended, and what an idle person was told."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rungs", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Step",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=32)),
                ("before", models.PositiveIntegerField()),
                ("after", models.PositiveIntegerField()),
                (
                    "why",
                    models.CharField(
                        choices=[("won", "Won"), ("lost", "Lost"), ("forfeited", "Forfeited"), ("idle", "Idle")], max_length=16
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="challenge",
            name="controls",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="challenge",
            name="why",
            field=models.CharField(
                blank=True,
                choices=[
                    ("declined", "Declined"),
                    ("late", "Late"),
                    ("called_off", "Called Off"),
                    ("left", "Left"),
                    ("linked", "Linked"),
                    ("barred", "Barred"),
                ],
                default="",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="rung",
            name="last_call_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="rung",
            name="sunk_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="rung",
            name="warned_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name="challenge",
            index=models.Index(condition=models.Q(("state", "playing")), fields=["match"], name="challenge_played"),
        ),
        migrations.AddIndex(
            model_name="rung",
            index=models.Index(fields=["active_at"], name="rung_idle"),
        ),
        migrations.AddConstraint(
            model_name="challenge",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("open", "playing"))), fields=("game", "challenger"), name="challenge_one_made"
            ),
        ),
        migrations.AddConstraint(
            model_name="challenge",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("open", "playing"))), fields=("game", "challenged"), name="challenge_one_got"
            ),
        ),
        migrations.AddField(
            model_name="step",
            name="user",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name="step",
            index=models.Index(fields=["user", "game", "-at"], name="step_newest"),
        ),
    ]
