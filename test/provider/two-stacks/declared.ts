/** What a stack of the soak declares, apart from any tool, and the object of the metadata that it means. */
import type { Values } from '../../../provider/src/core/index.ts'

export type TablePlace =
  /** A table that the same stack declares, by its logical name: named by its output. */
  | { readonly resource: string }
  /** The table of another owner, by its name. */
  | { readonly table: string }

export type Declared =
  | { readonly kind: 'Table'; readonly table: string; readonly customName: string; readonly force: boolean }
  | {
      readonly kind: 'SelectPermission' | 'DeletePermission'
      readonly place: TablePlace
      readonly role: string
      readonly owner: string
      /** Not in the database: the engine refuses it. */
      readonly broken: boolean
    }
  | {
      readonly kind: 'ObjectRelationship'
      readonly place: TablePlace
      readonly name: string
      readonly to: TablePlace
      readonly comment: string
    }
  | { readonly kind: 'InheritedRole'; readonly name: string; readonly of: readonly string[] }
  | { readonly kind: 'QueryCollection'; readonly name: string; readonly comment: string }

/** By logical name. */
export type Program = ReadonlyMap<string, Declared>

/** The logical names of what a resource comes after. */
export function needsOf(declared: Declared): readonly string[] {
  const named = (place: TablePlace) => ('resource' in place ? [place.resource] : [])
  switch (declared.kind) {
    case 'Table':
    case 'QueryCollection':
      return []
    case 'SelectPermission':
    case 'DeletePermission':
      return named(declared.place)
    case 'ObjectRelationship':
      return [...named(declared.place), ...named(declared.to)]
    case 'InheritedRole':
      return declared.of
  }
}

/** The name of the table at a place. */
function tableAt(program: Program, place: TablePlace): string {
  if ('table' in place) return place.table
  const declared = program.get(place.resource)
  if (declared?.kind !== 'Table') throw new Error(`${place.resource} is no table of the program`)
  return declared.table
}

/** The role that a permission of the program is of. */
function roleOf(program: Program, name: string): string {
  const declared = program.get(name)
  if (declared?.kind !== 'SelectPermission' && declared?.kind !== 'DeletePermission')
    throw new Error(`${name} is no permission of the program`)
  return declared.role
}

/** An object as the metadata has it, by what it is called here: `a1`, `a1/select user`, `role editor`. */
export type Objects = ReadonlyMap<string, unknown>

export const tableKey = (table: string): string => table
export const permissionKey = (table: string, kind: string, role: string): string => `${table}/${kind} ${role}`
export const relationshipKey = (table: string, name: string): string => `${table}/relationship ${name}`
export const roleKey = (name: string): string => `role ${name}`
export const collectionKey = (name: string): string => `collection ${name}`

/** Which object a resource stands for, and what it is to be. */
export function objectOf(program: Program, declared: Declared): readonly [key: string, value: unknown] {
  switch (declared.kind) {
    case 'Table':
      return [tableKey(declared.table), { custom_name: declared.customName }]
    case 'SelectPermission':
    case 'DeletePermission': {
      const { place, role, owner, broken } = declared
      const filter = { owner: { _eq: owner } }
      const select = declared.kind === 'SelectPermission'
      const value = select ? { columns: broken ? ['id', 'missing'] : ['id', 'owner'], filter } : { filter }
      return [permissionKey(tableAt(program, place), select ? 'select' : 'delete', role), value]
    }
    case 'ObjectRelationship': {
      const { place, name, to, comment } = declared
      return [relationshipKey(tableAt(program, place), name), { to: tableAt(program, to), comment }]
    }
    case 'InheritedRole':
      return [roleKey(declared.name), declared.of.map((name) => roleOf(program, name)).sort()]
    case 'QueryCollection':
      return [collectionKey(declared.name), declared.comment]
  }
}

/** The outputs of a resource that others name: its table, its role. */
export type OutputOf = (name: string, attribute: 'table' | 'role') => Values[string]

/** A resource's attributes as the declarations spell them. `json`: what stands for a value of JSON. */
export function attributesOf(declared: Declared, output: OutputOf, json: (value: unknown) => Values[string]): Values {
  const table = (place: TablePlace): Values[string] =>
    'table' in place ? { schema: 'public', name: place.table } : output(place.resource, 'table')
  switch (declared.kind) {
    case 'Table':
      return {
        table: { schema: 'public', name: declared.table },
        custom_name: declared.customName,
        ...(declared.force && { force_destroy: true }),
      }
    case 'SelectPermission':
      return {
        table: table(declared.place),
        role: declared.role,
        columns: declared.broken ? ['id', 'missing'] : ['id', 'owner'],
        filter: json({ owner: { _eq: declared.owner } }),
      }
    case 'DeletePermission':
      return {
        table: table(declared.place),
        role: declared.role,
        filter: json({ owner: { _eq: declared.owner } }),
      }
    case 'ObjectRelationship':
      return {
        table: table(declared.place),
        name: declared.name,
        manual_configuration: { remote_table: table(declared.to), column_mapping: { id: 'id' } },
        comment: declared.comment,
      }
    case 'InheritedRole':
      return { role_name: declared.name, role_set: declared.of.map((name) => output(name, 'role')) }
    case 'QueryCollection':
      return {
        name: declared.name,
        queries: [{ name: 'nothing', query: 'query nothing { __typename }' }],
        comment: declared.comment,
      }
  }
}
