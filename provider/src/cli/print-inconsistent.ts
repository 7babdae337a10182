import { hidePasswords, type InconsistentObject } from '../core/index.ts'

/** A table with the columns of reference/metadata-directory#commands: NAME, TYPE, DESCRIPTION, REASON. */
export function inconsistentTable(objects: readonly InconsistentObject[]): string {
  const rows = objects.map(({ name, type, reason }) => [ownName(name, type), type, name, hidePasswords(reason)])
  const lines = [['NAME', 'TYPE', 'DESCRIPTION', 'REASON'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((text, column) => text.replaceAll('\n', ' ').padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `select_permission user in table artist …` is called `user`. */
function ownName(name: string, type: string): string {
  const own = name.startsWith(`${type} `) ? name.slice(type.length + 1) : name
  return own.split(' in ')[0] ?? own
}
