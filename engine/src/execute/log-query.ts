import type { BoundStatement } from '../backends/index.ts'
import type { Value } from '../ir/index.ts'
import type { QueryPlanned } from '../observe/index.ts'
import { labelled, type PreparedRoot } from './prepared-plan.ts'

/** Receives which requests an operation sends where, for the query-log (reference/logs). */
export type LogQuery = (asked: Pick<QueryPlanned, 'of' | 'sql'>) => void

/** The statements of root fields, as they are bound. */
export type BoundRoots = Map<PreparedRoot, readonly BoundStatement[]>

type LoggedStatement = NonNullable<QueryPlanned['sql']>[string]

/** Returns a statement with its parameters, each with the variable that it came from. */
export const loggedStatement = ({ plan, parameters }: BoundStatement): LoggedStatement => ({
  query: plan.text,
  arguments: parameters,
  origins: plan.slots.map(originOf),
})

function originOf(slot: Value): string | null {
  switch (slot.kind) {
    case 'session':
      return slot.variable
    case 'variable':
      // what a template or a write puts together may hold any of them
      return slot.variable.startsWith(':') ? null : slot.variable
    case 'constant':
      return ''
    case 'input':
    case 'session-variables':
      return null
  }
}

/** Logs one line for each kind of thing that the root fields query. */
export function logRoots(roots: readonly PreparedRoot[], bound: BoundRoots, log: LogQuery): void {
  const sql: [string, LoggedStatement][] = []
  const others = new Set<string>()
  for (const { label, root } of labelled(roots))
    switch (root.kind) {
      case 'database':
      case 'writes':
      case 'updates':
      case 'insert':
        for (const [i, statement] of (bound.get(root) ?? []).entries())
          sql.push([i === 0 ? label : `${label}[${i}]`, loggedStatement(statement)])
        break
      case 'text':
      case 'introspection':
        others.add('introspection')
        break
      case 'action':
        others.add('action')
        break
      case 'remote':
        others.add('remote-schema')
        break
    }
  if (sql.length > 0) log({ of: 'database', sql: Object.fromEntries(sql) })
  for (const of of others) log({ of, sql: null })
}
