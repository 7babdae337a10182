/** Keys of objects as `liveObjects` has them, `a1` or `a1/select user`, and what is known by them. */
import type { Declared, Objects } from './declared.ts'

export const isTable = (key: string): boolean => /^[a-z]\d$/.test(key)

/** By what its last name begins with. */
export const ownerOf = (key: string): string => /(?:^|.* )([abh])[^ ]*$/.exec(key.replace('/', ' '))?.[1] ?? 'h'

/** `a1/select user` -> `default/public/a1/user` */
export function idOf(declared: Declared, key: string): string {
  const [table = '', rest = ''] = key.split('/')
  const last = rest.split(' ').at(-1) ?? ''
  switch (declared.kind) {
    case 'Table':
      return `default/public/${key}`
    case 'SelectPermission':
    case 'DeletePermission':
    case 'ObjectRelationship':
      return `default/public/${table}/${last}`
    case 'InheritedRole':
    case 'QueryCollection':
      return key.slice(key.indexOf(' ') + 1)
  }
}

export const hasObject = (live: Objects, id: string | undefined): boolean => {
  if (id === undefined) return false
  const [, , table, last] = id.split('/')
  if (table === undefined) return live.has(`role ${id}`) || live.has(`collection ${id}`)
  if (last === undefined) return live.has(table)
  return [...live.keys()].some((key) => key.startsWith(`${table}/`) && key.endsWith(` ${last}`))
}

/** The operation that drops what is in a table. */
export function dropOf(key: string): readonly [string, string, object] | null {
  const [table = '', rest = ''] = key.split('/')
  const [what, name = ''] = rest.split(' ')
  if (what === 'relationship') return ['drops', 'pg_drop_relationship', { table, relationship: name, cascade: true }]
  return ['drops', `pg_drop_${what}_permission`, { table, role: name }]
}
