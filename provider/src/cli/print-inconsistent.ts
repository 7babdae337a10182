import { hidePasswords, type InconsistentObject } from '../core/index.ts'
import { table } from './table.ts'

/** A table with the columns of reference/metadata-directory#commands: NAME, TYPE, DESCRIPTION, REASON. */
export function inconsistentTable(objects: readonly InconsistentObject[]): string {
  const rows = objects.map(({ name, type, reason }) => [ownName(name, type), type, name, hidePasswords(reason)])
  return table([['NAME', 'TYPE', 'DESCRIPTION', 'REASON'], ...rows])
}

/** `select_permission user in table artist …` is called `user`. */
function ownName(name: string, type: string): string {
  const own = name.startsWith(`${type} `) ? name.slice(type.length + 1) : name
  return own.split(' in ')[0] ?? own
}
