/** Names of types that the name of a table's row type brings along. */

import { keptFor } from '../../kept-for.ts'
import { defaultNaming, type SourceNaming } from '../naming/source-naming.ts'
import { typeName } from '../naming/spell.ts'
import type { GraphqlTable } from '../resolve/graphql-table.ts'

/**
 * Types that a table's type name brings along: no other table may be named like one
 * (reference/graphql-schema#generated-types).
 */
const derivedTypes = [
  'aggregate',
  'aggregate_fields',
  'max_fields',
  'min_fields',
  'select_column',
  'order_by',
  'bool_exp',
  'stream_cursor_input',
  'stream_cursor_value_input',
  'mutation_response',
  'insert_input',
  'obj_rel_insert_input',
  'arr_rel_insert_input',
  'on_conflict',
  'if_matched',
  'insert_match_column',
  'constraint',
  'update_column',
  'set_input',
  'inc_input',
  'append_input',
  'prepend_input',
  'delete_key_input',
  'delete_elem_input',
  'delete_at_path_input',
  'updates',
  'pk_columns_input',
] as const

/** The names that a table owns: its own, and the types of the enum that it is. */
export function ownTypes({ graphqlName, enumName, naming: { convention } }: GraphqlTable): readonly string[] {
  const enumTypes = enumName === null ? [] : [enumName, typeName(convention, { custom: enumName }, 'comparison_exp')]
  return graphqlName === null ? [] : [graphqlName, ...enumTypes]
}

/** What a derived type's name has after that of the row type. Cached: sources have few namings, and each of 5,000 tables needs them. */
export const endings = keptFor(({ convention, typeNames }: SourceNaming): readonly string[] =>
  derivedTypes.map((part) => `${typeName(convention, { custom: '' }, part)}${typeNames.suffix}`),
)

const plainEndings = [...endings(defaultNaming), ...endings({ ...defaultNaming, convention: 'graphql-default' })]

/** Whether some table's derived type could have the name: it ends like one, before the suffix that a source may add. */
export const mayBeDerived = (name: string): boolean => plainEndings.some((ending) => name.includes(ending))

/** Names of row types that a type of that name would be derived from, or that would be derived from it. */
export function relatedTypes(name: string): readonly string[] {
  const bases = plainEndings.flatMap((ending) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []))
  return [...bases, ...plainEndings.map((ending) => `${name}${ending}`)]
}

/** The types derived from a row type: `<p>pet_bool_exp<s>` and so on from `<p>pet<s>`. */
export function derivedNames(name: string, naming: SourceNaming): readonly string[] {
  const { suffix } = naming.typeNames
  return endings(naming).map((ending) => `${name.slice(0, name.length - suffix.length)}${ending}`)
}
