import type { Step } from './plan-steps.ts'

/**
 * SQL of a source's own record of its migrations. It stands in the source's database, so that a migration and its record
 * commit together. Versions are digits; names are literals.
 */
export const ensureRecord = `SELECT pg_advisory_xact_lock(764417501);
CREATE SCHEMA IF NOT EXISTS svc_migrations;
CREATE TABLE IF NOT EXISTS svc_migrations.versions (
  version numeric PRIMARY KEY,
  name text NOT NULL,
  applied boolean NOT NULL,
  dirty boolean NOT NULL DEFAULT false,
  mirrored_in text,
  at timestamptz NOT NULL DEFAULT now()
);`

export const hasRecord = `SELECT to_regclass('svc_migrations.versions') IS NOT NULL`

export const readRecord = `SELECT version::text, name, applied, dirty, coalesce(mirrored_in, '') FROM svc_migrations.versions ORDER BY version`

/** Claims a step for this process: waits for another one's, and fails where that has done it. */
export function claim({ migration, direction }: Step, dirty: boolean): string {
  const { version, name, squashes } = migration
  const change =
    direction === 'up'
      ? `INSERT INTO svc_migrations.versions AS v (version, name, applied, dirty)
    VALUES (${digits(version)}, ${literal(name)}, true, ${dirty})
    ON CONFLICT (version) DO UPDATE SET name = excluded.name, applied = true, dirty = ${dirty}, mirrored_in = NULL, at = now()
    WHERE NOT v.applied`
      : `UPDATE svc_migrations.versions SET applied = false, dirty = ${dirty}, at = now()
    WHERE version IN (${[version, ...squashes].map(digits).join(', ')}) AND applied`
  return `SELECT pg_advisory_xact_lock(764417501);
DO $svc_migrate$ BEGIN
  ${change};
  IF NOT FOUND THEN RAISE EXCEPTION 'another process has done this step'; END IF;
END $svc_migrate$;
`
}

export const finish = ({ migration }: Step): string =>
  `UPDATE svc_migrations.versions SET dirty = false WHERE version = ${digits(migration.version)};`

/** Records a step as done, without running it. */
export const recordStep = ({ migration, direction }: Step): string =>
  direction === 'up'
    ? `INSERT INTO svc_migrations.versions (version, name, applied) VALUES (${digits(migration.version)}, ${literal(migration.name)}, true)
  ON CONFLICT (version) DO UPDATE SET applied = true, dirty = false, mirrored_in = NULL;`
    : `UPDATE svc_migrations.versions SET applied = false, dirty = false
  WHERE version IN (${[migration.version, ...migration.squashes].map(digits).join(', ')});`

/** Versions that another tool applied. */
export const adopt = (versions: readonly string[], catalogue: string): string =>
  versions
    .map(
      (version) =>
        `INSERT INTO svc_migrations.versions (version, name, applied, mirrored_in) VALUES (${digits(version)}, '', true, ${literal(catalogue)}) ON CONFLICT DO NOTHING;`,
    )
    .join('\n')

/** The catalogue has the same now. */
export const mirrored = (catalogue: string): string =>
  `DELETE FROM svc_migrations.versions WHERE NOT applied AND NOT dirty;
UPDATE svc_migrations.versions SET mirrored_in = ${literal(catalogue)} WHERE mirrored_in IS DISTINCT FROM ${literal(catalogue)};`

export const forget = (versions: readonly string[]): string =>
  `UPDATE svc_migrations.versions SET applied = false, dirty = false WHERE version IN (${versions.map(digits).join(', ')});`

function digits(version: string): string {
  if (!/^\d+$/.test(version)) throw new Error(`${version} is no version`)
  return version
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
