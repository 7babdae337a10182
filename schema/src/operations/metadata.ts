import { z } from 'zod'
import { withInputForm } from '../input-forms.ts'
import type { Json, JsonObject } from '../json.ts'
import {
  boolean,
  checked,
  choose,
  filled,
  integer,
  isRecord,
  jsonObject,
  lenient,
  list,
  name,
  optional,
  record,
  type Schema,
  text,
  type Value,
} from '../shape.ts'

/** All, none, or those names. */
export type Selection = boolean | readonly string[]
const names = list(text)
const selection: Schema<Selection> = choose<Selection>((value) => (Array.isArray(value) ? names : boolean))

const reloading = lenient({
  reload_remote_schemas: filled<Selection>(selection, true),
  reload_sources: filled<Selection>(selection, true),
  recreate_event_triggers: filled<Selection>(selection, false),
  reload_data_connectors: filled<Selection>(selection, true),
})
export type ReloadMetadataArgs = Value<typeof reloading>

/**
 * reload_metadata (reference/metadata-operations#the-whole-document, reference/metadata-operations#reload_metadata); null
 * counts as no arguments.
 */
export const reloadMetadataArgs: Schema<ReloadMetadataArgs> = filled(reloading, reloading.parse({}))

export type ReplaceMetadataArgs = {
  /** 2: the answer has the consistency; 1: success or an error. */
  readonly version: 1 | 2
  readonly allow_inconsistent_metadata: boolean
  readonly allow_warnings: boolean
  /** Read it with readMetadata: its own issues are reported below `metadataPath`. */
  readonly metadata: Json
  readonly metadataPath: readonly string[]
}

const version2 = lenient({
  allow_inconsistent_metadata: filled(boolean, false),
  allow_warnings: filled(boolean, true),
  metadata: z.custom<Json>((value) => value !== undefined),
}).transform((args): ReplaceMetadataArgs => ({ version: 2, ...args, metadataPath: ['metadata'] }))

/** The document itself; an option of the other form next to its keys is the option. */
const version1 = z.custom<JsonObject>(isRecord, 'expected object').transform(
  ({ allow_inconsistent_metadata: allowed, ...metadata }): ReplaceMetadataArgs => ({
    version: 1,
    allow_inconsistent_metadata: allowed === true,
    allow_warnings: true,
    metadata,
    metadataPath: [],
  }),
)

/**
 * replace_metadata: a key `metadata` decides which form the args have, unless the envelope says 2
 * (reference/metadata-operations#replace_metadata).
 */
export const replaceMetadataArgs = (envelopeVersion: 1 | 2): Schema<ReplaceMetadataArgs> =>
  choose<ReplaceMetadataArgs>((value) =>
    envelopeVersion === 2 || (isRecord(value) && value.metadata !== undefined) ? version2 : version1,
  )

/** export_metadata: what the caller has already (docs/metadata-api.md#export-without-known-objects); all else is ignored. */
export interface ExportMetadataArgs {
  /** Hashes of tables and functions (object-hash.ts). */
  readonly known: ReadonlySet<string>
}

export const exportMetadataArgs: Schema<ExportMetadataArgs> = withInputForm(
  z.unknown().transform((json) => ({
    known: new Set(
      isRecord(json) && Array.isArray(json.known) ? json.known.filter((hash) => typeof hash === 'string') : [],
    ),
  })),
  { schema: { type: 'object', properties: { known: { type: 'array', items: { type: 'string' } } } } },
)

/** clear_, get_inconsistent_, drop_inconsistent_metadata read no args. */
export const ignoredArgs: Schema<null> = z.unknown().transform(() => null)

/** get_metadata_changes (docs/metadata-api.md#what-changed). */
export const getMetadataChangesArgs = lenient({
  since_resource_version: integer,
  catalog_id: optional(text),
  limit: filled(
    integer.refine((value) => value >= 1 && value <= 10_000, 'expected 1 to 10000'),
    1000,
  ),
})
/** get_audit_log: the newest first. */
export const getAuditLogArgs = record(
  {
    /** An id of an entry: those before it. */
    before: optional(integer),
    limit: filled(
      integer.refine((value) => value >= 1 && value <= 10_000, 'expected 1 to 10000'),
      100,
    ),
  },
  { unknown: 'refuse' },
)

/** get_usage: of the last days. */
export const getUsageArgs = record(
  { days: optional(integer.refine((value) => value >= 1 && value <= 3650, 'expected 1 to 3650')) },
  { unknown: 'refuse' },
)
const ownerName = checked(name, (value) => value.length <= 200, 'a name has at most 200 characters')

/** Objects as the change log names them: all of the keys in the arguments have to match. */
const someObjects = optional(list(jsonObject))
/** get_object_owners (docs/ownership.md): those of one owner, or of some objects. */
export const getObjectOwnersArgs = record({ owner: optional(text), objects: someObjects }, { unknown: 'refuse' })

/** set_object_owners: `owner` null releases; `from`: only what that owner has, null: what no one has. */
export const setObjectOwnersArgs = record(
  {
    owner: choose<string | null>((value) => (value === null ? z.null() : ownerName)),
    from: z.nullable(ownerName).optional(),
    objects: someObjects,
  },
  { unknown: 'refuse' },
)

export type GetMetadataChangesArgs = Value<typeof getMetadataChangesArgs>
