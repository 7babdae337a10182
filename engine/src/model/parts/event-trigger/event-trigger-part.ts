import { isRecord, type Json, objectValue } from '@svc/schema'
import { capturedOperations } from '../../../backends/index.ts'
import { compileTransforms, resolveWebhook } from '../../../webhooks/index.ts'
import type { TableId } from '../../object-ids.ts'
import type { DatabaseNames } from '../../rename/database-names.ts'
import { rewriteColumns } from '../../rename/rewrite-references.ts'
import { databaseError, ResolutionError } from '../../resolve/resolution-error.ts'
import { refuseUnsupported } from '../../resolve/unsupported.ts'
import { quotedTable } from '../../table-id.ts'
import type { Part } from '../part.ts'

/** That the trigger is served: what it does is events/ (reference/event-triggers). */
export interface ResolvedEventTrigger {
  readonly name: string
}

/** An event trigger of a table: its columns are there, and so is what its webhook takes from the environment. */
export const eventTriggerPart: Part<ResolvedEventTrigger> = {
  key: 'event_trigger',
  type: 'event_trigger',
  isOfDatabase: true,
  dependentText: ({ above, own }) => `event-trigger ${above}.${own}`,
  isCascaded: true,
  marksItsTable: true,
  rename: (value, { own, names }) =>
    own === null ? value : { ...value, definition: renameInTrigger(value.definition, own, names) },
  definition: ({ value }, table) => ({ table: table?.key.table ?? null, configuration: value }),
  resolve({ at, object, input }, { source, table, tables }) {
    refuseUnsupported(source.object, source.state, 'eventTriggers')
    const trigger = objectValue(object, 'event_trigger')
    const problem = (text: string, detail: ResolutionError['detail']) =>
      new ResolutionError(
        `in table ${quotedTable(table.shape.table)}: in event trigger "${trigger.name}": ${text}`,
        detail,
      )
    const known = source.state.introspection.tables.get(at.parent?.own ?? '')
    if (known?.kind === 'view' || known?.kind === 'materialized-view')
      throw problem('a view has no rows of its own that could be listened to', { cause: 'database' })
    const captured = capturedOperations.filter((operation) => trigger.definition[operation])
    const refusal = known && source.state.backend.captureProblem?.(known, captured)
    if (refusal) throw databaseError(refusal)
    for (const operation of capturedOperations)
      for (const part of ['columns', 'payload'] as const) {
        const columns = trigger.definition[operation]?.[part] ?? '*'
        if (columns === '*') continue
        columns.forEach((column, i) => {
          if (!tables.column(table.shape, column))
            throw problem(`column "${column}" does not exist`, {
              cause: 'database',
              at: ['definition', operation, part, i],
            })
        })
      }
    const { environment } = input.settings
    if (environment) {
      const { webhook, webhook_from_env: variable, headers = [] } = trigger
      const address = variable === undefined ? (webhook ?? '') : { from_env: variable }
      const found = resolveWebhook(address, headers, environment)
      const at = [variable === undefined ? 'webhook' : 'webhook_from_env']
      if (found.kind === 'missing') throw problem(found.message, { cause: 'definition', at })
    }
    const compiled = compileTransforms(trigger)
    if (compiled.kind === 'errors')
      throw problem('a template of its transforms does not parse', {
        cause: 'definition',
        message: compiled.message,
      })
    return { name: trigger.name }
  },
}

/** The columns that its operations are about. */
function renameInTrigger(definition: Json | undefined, own: TableId, names: DatabaseNames): Json {
  if (!isRecord(definition)) return definition ?? {}
  return Object.fromEntries(
    Object.entries(definition).map(([operation, columns]) => [
      operation,
      isRecord(columns)
        ? Object.fromEntries(Object.entries(columns).map(([key, list]) => [key, rewriteColumns(list, own, names)]))
        : columns,
    ]),
  )
}
