import type { ResolvedRows } from '../../model/index.ts'
import { hasPredicates } from '../types/aggregate-predicate-types.ts'
import type { NamedTypes } from '../types/named-types.ts'
import type { Masked, RoleTable } from '../types/role-table.ts'
import { isAlwaysThere } from '../types/row-type.ts'
import { makeTableTypes } from '../types/table-types.ts'
import { type NamedType, refTo, type TypeRef } from '../types/type.ts'
import { visibleRemotes, visibleTargets } from '../types/visible-targets.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { typesOfTable } from './all-types.ts'
import type { KeptTexts } from './introspection-cache.ts'
import { mentionedBy } from './mentioned-by.ts'
import { countSize, type PrintContext, type Printer } from './meta-object.ts'
import { packTexts, type TypeText, type TypeTexts } from './type-texts.ts'
import { typesOfWriting } from './types-of-writing.ts'

/** All of a table that shapes its types, without what they share with those of every role. */
type Parts = Omit<
  RoleTable,
  'table' | 'role' | 'name' | 'types' | 'filter' | 'limit' | 'queryRootFields' | 'subscriptionRootFields' | 'inherited'
>

/**
 * What a role sees of a table and of the tables that its fields lead to: where two roles have the same, the types of the
 * table are the same.
 */
function visibleParts(table: RoleTable, targets: ReadonlyMap<string, RoleTable>): string {
  const parts: Readonly<Record<keyof Parts, unknown>> = {
    columns: table.columns.map(seen),
    nested: table.nested.map((rows) => {
      const target = targets.get(rows.name)
      return [rows.name, target !== undefined && isAlwaysThere(rows, target)]
    }),
    computedFields: table.computedFields.map(seen),
    allowAggregations: table.allowAggregations,
  }
  const led = [...targets].map(([name, target]) => [name, target.allowAggregations, target.columns.length > 0])
  return JSON.stringify([Object.values(parts), led])
}

const seen = ({ name, mask }: { readonly name: string } & Masked) => (mask ? [name] : name)

/** Returns as text what a role may write of a table: where two roles have the same, the types are the same. */
function writtenParts(types: WriteTypes | undefined): string {
  if (!types) return ''
  const { table, targets } = types
  const { insert, update, delete: remove, selects } = table
  const names = (columns: readonly { readonly name: string }[] | undefined) => columns?.map(({ name }) => name)
  // what rows of other tables may come along with depends on their keys and columns, which their references stand for
  return JSON.stringify([selects, names(insert?.columns), names(update?.columns), remove !== null, [...targets.keys()]])
}

/** The texts of a table's types are valid while the table and the targets of its relationships are the same. */
export interface TableTexts {
  readonly types: NamedTypes
  readonly targets: ReadonlyMap<string, ResolvedRows>
  readonly texts: TypeTexts
}

/** Returns the types of a table as texts: cached ones, or new ones, which are cached if no other table was read. */
export function tableTexts(
  printContext: PrintContext,
  table: RoleTable,
  kept: KeptTexts,
  printer: Printer<TypeRef>,
  separator: string,
): TypeTexts {
  const { schema } = printContext
  const targets = visibleTargets(schema.model, schema.role, table)
  const predicates = hasPredicates(schema.model.input.settings, table.types)
  const written = schema.writeTypes(table.table.id)
  const parts = `${schema.api} ${predicates} ${visibleParts(table, targets)} ${writtenParts(written)}`
  // what is seen of remote schemas hangs on more than the tables
  const remotes = visibleRemotes(schema.model, schema.role, table)
  const known = remotes.size > 0 ? undefined : kept.get(table.table, parts)
  if (known && known.types === table.types && sameTargets(known.targets, targets, written)) {
    countSize(printContext, known.texts.bytes)
    return known.texts
  }
  const before = printContext.count.lookups
  const isSeen = written?.table.selects ?? true
  const own = isSeen ? typesOfTable(makeTableTypes(schema.api, table, targets, predicates, remotes)) : []
  const printed = [...own, ...(written ? typesOfWriting(written) : [])].map((type) =>
    printType(printContext, printer, type),
  )
  const texts = packTexts(printed, separator)
  if (printContext.count.lookups === before && !leadsToRemote(table))
    kept.put(table.table, parts, {
      types: table.types,
      targets: new Map([
        ...[...targets].map(([name, target]) => [name, target.table] as const),
        ...[...(written?.targets ?? [])].map(([name, target]) => [`${name} `, target.table] as const),
      ]),
      texts,
    })
  return texts
}

const leadsToRemote = ({ table }: RoleTable): boolean =>
  table.kind === 'table' && [...table.remoteRelationships.values()].some(({ kind }) => kind === 'remote-field')

export const printType = (printContext: PrintContext, printer: Printer<TypeRef>, type: NamedType): TypeText => ({
  name: type.name,
  text: printer.print(refTo(type), printContext),
  mentions: mentionedBy(type, printContext.schema).map(({ name }) => name),
})

function sameTargets(
  kept: ReadonlyMap<string, ResolvedRows>,
  targets: ReadonlyMap<string, RoleTable>,
  written: WriteTypes | undefined,
): boolean {
  if (kept.size !== targets.size + (written?.targets.size ?? 0)) return false
  for (const [name, { table }] of targets) if (kept.get(name) !== table) return false
  for (const [name, { table }] of written?.targets ?? []) if (kept.get(`${name} `) !== table) return false
  return true
}
