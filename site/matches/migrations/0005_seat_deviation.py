from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0004_match_uncounted"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="deviation",
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
