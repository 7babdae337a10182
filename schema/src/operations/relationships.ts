import { perStyle } from '../backend-kind.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { arrayUsing, objectUsing } from '../objects/relationship.ts'
import { name, nullable, optional, record, text, type Value } from '../shape.ts'
import { cascade, sourceName } from './shared-keys.ts'

const ignore = { unknown: 'ignore' } as const

/** `<p>_create_object_relationship` (reference/metadata-operations#relationships). */
export const createObjectRelationshipArgs = perStyle((style) =>
  record(
    { source: sourceName, table: qualifiedName(style), name, using: objectUsing(style), comment: optional(text) },
    ignore,
  ),
)
export type CreateObjectRelationshipArgs = Value<ReturnType<typeof createObjectRelationshipArgs>>

/** `<p>_create_array_relationship` (reference/metadata-operations#relationships). */
export const createArrayRelationshipArgs = perStyle((style) =>
  record(
    { source: sourceName, table: qualifiedName(style), name, using: arrayUsing(style), comment: optional(text) },
    ignore,
  ),
)
export type CreateArrayRelationshipArgs = Value<ReturnType<typeof createArrayRelationshipArgs>>

const nameSpelling = { ...ignore, aliases: { name: 'relationship' } } as const

/** `<p>_drop_relationship`; `name` is a spelling of `relationship` (reference/metadata-document#both-spellings). */
export const dropRelationshipArgs = perStyle((style) =>
  record({ source: sourceName, table: qualifiedName(style), relationship: name, cascade }, nameSpelling),
)
export type DropRelationshipArgs = Value<ReturnType<typeof dropRelationshipArgs>>

/** `<p>_set_relationship_comment`: absent or null removes it. */
export const setRelationshipCommentArgs = perStyle((style) =>
  record(
    { source: sourceName, table: qualifiedName(style), relationship: name, comment: nullable(text) },
    nameSpelling,
  ),
)
export type SetRelationshipCommentArgs = Value<ReturnType<typeof setRelationshipCommentArgs>>

export const renameRelationshipArgs = perStyle((style) =>
  record({ source: sourceName, table: qualifiedName(style), name, new_name: name }, ignore),
)
export type RenameRelationshipArgs = Value<ReturnType<typeof renameRelationshipArgs>>
