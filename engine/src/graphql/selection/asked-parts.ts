import type { TableId } from '../../model/index.ts'

/** What of a role's schema an operation requests (docs/usage.md). */
export type AskedPart =
  /**
   * A member of a type: a field, `field(argument)`, a field of an input object. `*` stands for members that are known
   * only once values are, and an empty one for the type itself, which a variable names.
   */
  | { readonly kind: 'member'; readonly of: string; readonly name: string }
  | { readonly kind: AskedPermission; readonly table: TableId }

export type AskedPermission = 'select' | 'insert' | 'update' | 'delete'

/** Gathered by the walk that plans an operation: values are in none of it. */
export class AskedParts {
  readonly #types = new Map<string, Set<string>>()
  readonly #permissions = new Map<AskedPermission, Set<TableId>>()

  /** What only introspection shows is no one's use of anything. */
  member(of: string, name: string): void {
    if (of.startsWith('__') || name.startsWith('__')) return
    const known = this.#types.get(of)
    if (known) known.add(name)
    else this.#types.set(of, new Set([name]))
  }

  permission(kind: AskedPermission, table: TableId): void {
    const known = this.#permissions.get(kind)
    if (known) known.add(table)
    else this.#permissions.set(kind, new Set([table]))
  }

  *parts(): Generator<AskedPart, void, void> {
    for (const [kind, tables] of this.#permissions) for (const table of tables) yield { kind, table }
    for (const [of, names] of this.#types) for (const name of names) yield { kind: 'member', of, name }
  }
}
