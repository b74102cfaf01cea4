"""Let the planner know that the facets are dear to work out, so that it finds them in their index and works them out for no row."""

from django.db import migrations

# With a setting of its own the function is called by its name, not written out where it stands, and so has a cost.
DEAR = """
ALTER FUNCTION archive_facets(text, text, text, boolean, text, int, text, bigint) COST 100 SET search_path = pg_catalog;
"""
CHEAP = """
ALTER FUNCTION archive_facets(text, text, text, boolean, text, int, text, bigint) COST 1 RESET search_path;
"""


class Migration(migrations.Migration):
    dependencies = [("archive", "0003_how_they_fared")]
    operations = [migrations.RunSQL(DEAR, CHEAP)]
