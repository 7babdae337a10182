import {
  findObject,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  putObject,
  removeObject,
  sourceAddress,
  tableAddress,
} from '@svc/schema'
import type { OperationContext, PreparedOperation, TablesOfSource } from '../metadata/index.ts'
import type { Command } from '../requests/index.ts'
import { implicitTable, isDeclared, isImplicit } from './implicit-table.ts'

/**
 * A command as a plan tries it, whose members arrive in any order (docs/dry-run.md): dropping what is gone is fine, tables that
 * exist count as tracked, and tracking one of these is not tracking it twice. `needed`: tables that an earlier
 * try found missing.
 */
export function plannedCommand(command: Command, needed: readonly TablesOfSource[] = []): Command {
  switch (command.kind) {
    case 'operation':
      return { ...command, operation: plannedOperation(command.operation, needed) }
    case 'bulk':
      return { ...command, members: command.members.map((member) => plannedCommand(member, needed)) }
    case 'reload':
    case 'read':
    case 'run-sql':
    case 'rows':
      return command
  }
}

function plannedOperation(operation: PreparedOperation, needed: readonly TablesOfSource[]): PreparedOperation {
  const mentions = [...operation.mentions, ...needed]
  return {
    ...operation,
    rereads: [...operation.rereads, ...mentions],
    apply(document, context) {
      if (operation.drops.length > 0 && !operation.drops.some((address) => isDeclared(document, address)))
        return { document, touched: [] }
      const assumed = assumeTables(document, mentions, context)
      const stripped = operation.tracks.reduce(withoutImplicit, assumed)
      const applied = operation.apply(stripped, context)
      return { ...applied, document: operation.tracks.reduce(withChildrenOf(assumed), applied.document) }
    },
  }
}

/** Tables that the database has and the fork lacks are added to the fork. */
function assumeTables(
  document: MetadataDocument,
  mentions: readonly TablesOfSource[],
  context: OperationContext,
): MetadataDocument {
  const assume = (rest: MetadataDocument, source: string, table: JsonObject) => {
    const at = tableAddress(source, table)
    const missing = findObject(rest, sourceAddress(source)) && !findObject(rest, at)
    return missing && context.table(source, at) ? putObject(rest, at, implicitTable(table)) : rest
  }
  return mentions.reduce(
    (rest, { source, tables }) => tables.reduce((before, table) => assume(before, source, table), rest),
    document,
  )
}

const withoutImplicit = (document: MetadataDocument, table: ObjectAddress): MetadataDocument =>
  isImplicit(findObject(document, table)) ? removeObject(document, table) : document

/** What other members have added to a table before it was tracked remains there. */
const withChildrenOf =
  (before: MetadataDocument) =>
  (document: MetadataDocument, table: ObjectAddress): MetadataDocument => {
    const [old, now] = [findObject(before, table), findObject(document, table)]
    return old && now && isImplicit(old) ? putObject(document, table, { ...now, children: old.children }) : document
  }
