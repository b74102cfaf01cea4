"""Names the kinds of notices that the challenge ladders and the moderators send."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "It is my turn"),
                    ("deadline", "My time is running out"),
                    ("challenge", "Somebody challenges me"),
                    ("start", "A match begins"),
                    ("offer", "Somebody asks for something in a match"),
                    ("end", "A match ends"),
                    ("rungs", "A challenge on the challenge ladder"),
                    ("care", "Word from the moderators"),
                ],
                max_length=16,
            ),
        ),
    ]
