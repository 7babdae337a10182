import { perStyle } from '../backend-kind.ts'
import { arrayUsing, objectUsing } from '../objects/relationship.ts'
import { lenient, name, nullable, optional, text } from '../shape.ts'
import { cascade, inTable } from './shared-keys.ts'

/** `<p>_create_object_relationship` (reference/metadata-operations#relationships). */
export const createObjectRelationshipArgs = perStyle((style) =>
  lenient({ ...inTable(style), name, using: objectUsing(style), comment: optional(text) }),
)

/** `<p>_create_array_relationship` (reference/metadata-operations#relationships). */
export const createArrayRelationshipArgs = perStyle((style) =>
  lenient({ ...inTable(style), name, using: arrayUsing(style), comment: optional(text) }),
)

const nameSpelling = { aliases: { name: 'relationship' } } as const

/** `<p>_drop_relationship`; `name` is a spelling of `relationship` (reference/metadata-document#both-spellings). */
export const dropRelationshipArgs = perStyle((style) =>
  lenient({ ...inTable(style), relationship: name, cascade }, nameSpelling),
)

/** `<p>_set_relationship_comment`: absent or null removes it. */
export const setRelationshipCommentArgs = perStyle((style) =>
  lenient({ ...inTable(style), relationship: name, comment: nullable(text) }, nameSpelling),
)

export const renameRelationshipArgs = perStyle((style) => lenient({ ...inTable(style), name, new_name: name }))
