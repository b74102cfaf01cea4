"""Triggers that keep the rows of the archive, the index over all that matches have in common, and the rows of what is there already."""

from django.db import migrations

FACTS = "game, variant, pace, rated, termination, plies, rating, seats, levels, first_move_id, finished_at"
FACETS = """
CREATE FUNCTION archive_facets(
    game text, variant text, pace text, rated boolean, termination text, seats int, levels text, first_move bigint
) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_remove(ARRAY[
        'g' || game, 'v' || game || '/' || variant, 'p' || pace, CASE WHEN rated THEN 'r' ELSE 'c' END, 't' || termination, 's' || seats::text,
        'f' || first_move::text
    ] || string_to_array('b' || replace(nullif(levels, ''), ' ', ' b'), ' '), NULL)
$$;
CREATE INDEX filed_facets ON archive_filed
    USING gin (archive_facets(game, variant, pace, rated, termination, seats, levels, first_move_id)) WITH (fastupdate = off);
"""
KEEP = """
CREATE FUNCTION archive_file_people(filed bigint[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO archive_filedseat (match_id, user_id, number, rank, result, left_why, FACTS)
    SELECT m.id, s.user_id, s.number, place.rank,
        CASE WHEN place.rank > 1 THEN 'lost' WHEN place.winners > 1 THEN 'shared' ELSE 'won' END, s.left_why,
        f.game, f.variant, f.pace, f.rated, f.termination, f.plies, f.rating, f.seats, f.levels, f.first_move_id, f.finished_at
    FROM archive_filed f JOIN matches_match m ON m.id = f.match_id JOIN matches_seat s ON s.match_id = m.id
    CROSS JOIN LATERAL (
        SELECT (m.ranks->>s.number::int)::int AS rank,
            (SELECT count(*) FROM jsonb_array_elements_text(m.ranks) AS other WHERE other::int = 1) AS winners
    ) place
    WHERE f.match_id = ANY(filed) AND s.user_id IS NOT NULL AND place.rank IS NOT NULL
    ON CONFLICT (match_id, user_id) DO NOTHING
$$;

CREATE FUNCTION archive_file(finished bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO archive_filed (match_id, FACTS)
    SELECT m.id, m.game, m.variant, m.pace, m.rated, m.termination, m.ply, m.rating, field.seats, field.levels, NULL,
        coalesce(m.finished_at, m.moved_at)
    FROM matches_match m CROSS JOIN LATERAL (
        SELECT count(*) AS seats, coalesce(string_agg(DISTINCT o.level, ' ' ORDER BY o.level) FILTER (WHERE o.level <> ''), '') AS levels
        FROM matches_seat o WHERE o.match_id = m.id
    ) field
    WHERE m.id = ANY(finished) AND m.status = 'finished' AND NOT m.private AND m.ranks IS NOT NULL AND field.seats > 0
    ON CONFLICT (match_id) DO NOTHING;
    PERFORM archive_file_people(finished);
END $$;

CREATE FUNCTION archive_match_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'finished' AND NOT NEW.private THEN
        PERFORM archive_file(ARRAY[NEW.id]);
    ELSE
        DELETE FROM archive_filedseat WHERE match_id = NEW.id;
        DELETE FROM archive_filed WHERE match_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER archive_match_changed AFTER UPDATE OF status, private ON matches_match
    FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.private <> NEW.private) EXECUTE FUNCTION archive_match_changed();

CREATE FUNCTION archive_seats_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM archive_file(array(
        SELECT DISTINCT m.id FROM fresh JOIN matches_match m ON m.id = fresh.match_id WHERE m.status = 'finished'
    ));
    RETURN NULL;
END $$;
CREATE TRIGGER archive_seats_added AFTER INSERT ON matches_seat
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION archive_seats_added();

CREATE FUNCTION archive_seat_handed_over() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM archive_filedseat WHERE user_id = OLD.user_id AND match_id = OLD.match_id;
    PERFORM archive_file_people(ARRAY[NEW.match_id]);
    RETURN NULL;
END $$;
CREATE TRIGGER archive_seat_handed_over AFTER UPDATE OF user_id ON matches_seat
    FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION archive_seat_handed_over();
""".replace("FACTS", FACTS)


# What a statement adds or takes out is counted always in the same order, so that two of them cannot wait in a ring.
COUNT = """
CREATE FUNCTION archive_count_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO archive_filedcount AS kept (game, variant, pace, rated, termination, matches)
    SELECT game, variant, pace, rated, termination, {sign} count(*) FROM changed GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (game, variant, pace, rated, termination) DO UPDATE SET matches = kept.matches + excluded.matches;
    RETURN NULL;
END $$;
CREATE TRIGGER archive_count_{event} AFTER {event} ON archive_filed REFERENCING {rows} TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION archive_count_{event}();
"""
COUNTS = COUNT.format(event="insert", rows="NEW", sign="+") + COUNT.format(event="delete", rows="OLD", sign="-")
FILL = "SELECT archive_file(array(SELECT id FROM matches_match WHERE status = 'finished'))"
DROP = """
DROP FUNCTION archive_count_insert, archive_count_delete, archive_match_changed, archive_seats_added, archive_seat_handed_over CASCADE;
DROP FUNCTION archive_file, archive_file_people;
DROP INDEX filed_facets;
DROP FUNCTION archive_facets;
"""


class Migration(migrations.Migration):
    dependencies = [("archive", "0001_initial"), ("matches", "0005_seat_deviation")]
    operations = [
        migrations.RunSQL(FACETS + KEEP + COUNTS, DROP),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
