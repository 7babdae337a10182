/** Drafts (docs/drafts.md): proposed metadata, next to what is served. */
import { checked, integer, mapOf, optional, record, text } from '../shape.ts'

const strict = { unknown: 'refuse' } as const

/** As a dry run that made it says: 64 hexadecimal digits. */
const hash = checked(
  text,
  (value) => /^[0-9a-f]{64}$/.test(value),
  'expected the hash of a draft, 64 hexadecimal digits',
)

/** Of a draft, by its hash. */
export const namedDraftArgs = record({ hash }, strict)

/** restore_metadata: the version of the change log that metadata becomes again. */
export const restoreMetadataArgs = record(
  { resource_version: checked(integer, (value) => value >= 0, 'expected a version') },
  strict,
)

/** count_draft_rows: for `time_limit` milliseconds at most (5,000 when left out). */
export const countDraftRowsArgs = record(
  {
    hash,
    time_limit: optional(
      checked(integer, (value) => value >= 1 && value <= 60_000, 'expected 1 to 60,000 milliseconds'),
    ),
    session: optional(mapOf(text)),
  },
  strict,
)
