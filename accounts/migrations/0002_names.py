"""Names as we want them, and a key by which no two of them look the same."""

from django.db import migrations, models

import accounts.names


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=models.CharField(editable=False, max_length=96, null=True, unique=True),
        ),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={"unique": "Somebody has this name, or one that looks the same. Please choose another."},
                max_length=24,
                unique=True,
                validators=[accounts.names.check_name],
                verbose_name="name",
            ),
        ),
    ]
