from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("matches", "0002_play_between_people")]

    operations = [
        # Until now resigning was the only way to leave.
        migrations.RunSQL(
            "UPDATE matches_seat SET left_why = 'resigned' WHERE left_at_ply IS NOT NULL AND left_why = ''",
            migrations.RunSQL.noop,
        )
    ]
