"""Triggers that keep `Played`, and the rows of the matches that are there already."""

from django.db import migrations

MAKE = """
CREATE FUNCTION profiles_write_played(finished bigint[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO profiles_played
        (user_id, match_id, game, variant, pace, private, others, rank, known, knowers, levels, finished_at)
    SELECT s.user_id, m.id, m.game, m.variant, m.pace, m.private, field.others, (m.ranks->>s.number::int)::int,
        field.known, field.knowers, field.levels, coalesce(m.finished_at, m.moved_at)
    FROM matches_match m JOIN matches_seat s ON s.match_id = m.id
    CROSS JOIN LATERAL (
        SELECT count(*) AS others, coalesce(sum(o.rating), 0) AS known, count(o.rating) AS knowers,
            coalesce(string_agg(o.level, ' ' ORDER BY o.level) FILTER (WHERE o.rating IS NULL AND o.level <> ''), '') AS levels
        FROM matches_seat o WHERE o.match_id = m.id AND o.id <> s.id
    ) field
    WHERE m.id = ANY(finished) AND m.status = 'finished' AND m.ranks IS NOT NULL AND s.user_id IS NOT NULL
    ON CONFLICT (user_id, match_id) DO NOTHING
$$;

CREATE FUNCTION profiles_match_finished() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM profiles_write_played(ARRAY[NEW.id]);
    RETURN NULL;
END $$;
CREATE TRIGGER profiles_match_finished AFTER UPDATE OF status ON matches_match
    FOR EACH ROW WHEN (NEW.status = 'finished' AND OLD.status <> 'finished') EXECUTE FUNCTION profiles_match_finished();

CREATE FUNCTION profiles_seats_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM profiles_write_played(array(
        SELECT DISTINCT m.id FROM fresh JOIN matches_match m ON m.id = fresh.match_id WHERE m.status = 'finished'
    ));
    RETURN NULL;
END $$;
CREATE TRIGGER profiles_seats_added AFTER INSERT ON matches_seat
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION profiles_seats_added();

CREATE FUNCTION profiles_seat_handed_over() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM profiles_played WHERE user_id = OLD.user_id AND match_id = OLD.match_id;
    PERFORM profiles_write_played(ARRAY[NEW.match_id]);
    RETURN NULL;
END $$;
CREATE TRIGGER profiles_seat_handed_over AFTER UPDATE OF user_id ON matches_seat
    FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION profiles_seat_handed_over();
"""
FILL = "SELECT profiles_write_played(array(SELECT id FROM matches_match WHERE status = 'finished'))"
DROP = """
DROP TRIGGER profiles_seat_handed_over ON matches_seat;
DROP TRIGGER profiles_seats_added ON matches_seat;
DROP TRIGGER profiles_match_finished ON matches_match;
DROP FUNCTION profiles_seat_handed_over, profiles_seats_added, profiles_match_finished, profiles_write_played;
"""


class Migration(migrations.Migration):
    dependencies = [("profiles", "0001_initial"), ("matches", "0005_seat_deviation")]
    operations = [migrations.RunSQL(MAKE, DROP), migrations.RunSQL(FILL, migrations.RunSQL.noop)]
