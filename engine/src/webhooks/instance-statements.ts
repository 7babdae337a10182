/**
 * The SQL by which instances that share a queue know of each other (reference/event-triggers#delivery): `table` has one row
 * for each, with the beats that it reported and when.
 */

/**
 * $1 the instance: records that it is alive, and returns the other instances with their counters and the milliseconds
 * since they reported.
 */
export const beatText = (table: string): string => `
    WITH own AS (
      INSERT INTO ${table} AS i (id, beats, heard_at) VALUES ($1::text, 1, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET beats = i.beats + 1, heard_at = clock_timestamp()
      RETURNING 1
    )
    SELECT id, beats::text,
      (extract(epoch FROM clock_timestamp() - greatest(heard_at, pg_postmaster_start_time())) * 1000)::bigint::text
    FROM ${table} WHERE id <> $1::text`

/** $1 instances that are dead, $2 how often each reported: one that has reported since remains. */
export const buryText = (table: string): string => `
    DELETE FROM ${table} i
    USING unnest($1::text[], $2::bigint[]) AS dead (id, beats) WHERE i.id = dead.id AND i.beats = dead.beats`
