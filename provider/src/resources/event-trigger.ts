import { isRecord, type Json, type JsonObject, recordOf } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import { filled, type InputDeclaration, identifying, within } from './attributes-of.ts'
import { allOf } from './column-names.ts'
import { type Codec, defineInSource } from './define-resource.ts'
import { comment, inTable, tableIdentity } from './in-table.ts'
import { changedKeys } from './object-changes.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { webhookAddress } from './webhook-address.ts'
import { requestTransform, responseTransform, transformCodecs } from './webhook-transform.ts'
import { addedHeadersWriteOnly, headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

const operations = ['insert', 'update', 'delete'] as const
type Operation = (typeof operations)[number]

const captured = (operation: Operation): InputDeclaration => ({
  description: `Makes every ${operation} of a row an event.`,
  typeName: 'CapturedColumns',
  of: {
    all_columns: allOf('columns', 'the table'),
    columns: {
      description: 'Columns: an update is an event when one of these changes. Inserts and deletes always are.',
      set: true,
      optional: true,
    },
    payload: { description: 'Columns that the event holds. Without it all of them.', set: true },
  },
})

/** All columns are `*` in the metadata. */
const capturedCodec = (operation: Operation): Codec => ({
  encode(given) {
    if (!isRecord(given)) return given
    const { all_columns, ...others } = given
    if (all_columns !== true) return others
    if (others.columns !== undefined)
      throw new InvalidValue([operation, 'columns'], 'only one of `all_columns`, `columns` may be given')
    return { ...others, columns: '*' }
  },
  decode(stored) {
    if (!isRecord(stored)) return stored
    const { columns, payload, ...others } = stored
    return {
      ...others,
      ...(columns === '*' ? { all_columns: true } : columns !== undefined && { columns }),
      ...(payload !== undefined && payload !== '*' && { payload }),
    }
  },
})

/** A delivery that may take any time has the timeout null in the metadata. */
const retryCodec: Codec = {
  encode(given) {
    if (!isRecord(given)) return given
    const { no_timeout, ...others } = given
    return no_timeout === true ? { ...others, timeout_sec: null } : others
  },
  decode(stored) {
    if (!isRecord(stored) || stored.timeout_sec !== null) return stored
    const { timeout_sec: _, ...others } = stored
    return { ...others, no_timeout: true }
  },
}

/** Sends changes of a table to a webhook (reference/metadata-operations#event-triggers). */
export const eventTrigger = defineInSource(['public', 'dbo'], (family) => ({
  kind: 'EventTrigger',
  type: 'event_trigger',
  description: "A webhook that gets every change of a table's rows by any client.",
  inputs: {
    ...inTable(family),
    name: identifying('Its name, which no other trigger of the source has.'),
    ...webhookAddress('ORDERS_URL'),
    ...within('definition', {
      insert: captured('insert'),
      update: captured('update'),
      delete: captured('delete'),
      enable_manual:
        'Whether it can be invoked by hand too, with the operation `invoke_event_trigger` of its kind of source.',
    }),
    headers: outgoingHeaders('Headers it is called with.'),
    ...headersWriteOnly('headers', 'headers'),
    retry_conf: {
      description: 'What happens when a delivery fails.',
      typeName: 'EventRetry',
      of: {
        num_retries: 'How often a failed delivery is tried again.',
        interval_sec: 'Seconds between two tries.',
        timeout_sec: { description: 'Seconds a delivery may take.', default: 60 },
        no_timeout: { description: 'Whether it may take any time.', type: 'boolean', default: false },
      },
    },
    request_transform: requestTransform,
    ...addedHeadersWriteOnly,
    response_transform: responseTransform,
    cleanup_config: {
      description: 'When events that are done with are deleted.',
      typeName: 'EventCleanup',
      of: {
        schedule: filled('When, in UTC: five fields as of cron.'),
        clear_older_than: 'Hours after which a delivered event is deleted.',
        batch_size: 'How many are deleted at once.',
        timeout: 'Seconds that deleting may take.',
        clean_invocation_logs: 'Whether the logs of deliveries are deleted with them.',
        paused: 'Whether nothing is deleted for now.',
      },
    },
    trigger_on_replication: 'Whether changes that replication applies are events too.',
    comment,
  },
  identity: [...tableIdentity(family), 'name'],
  example: ['default', 'public', 'invoice', 'on_invoice'],
  exactlyOne: [['webhook', 'webhook_from_env']],
  codecs: {
    headers_wo: headersWriteOnlyCodec,
    insert: capturedCodec('insert'),
    update: capturedCodec('update'),
    delete: capturedCodec('delete'),
    retry_conf: retryCodec,
    ...transformCodecs,
  },
  create: (now, place) => [family.op('create_event_trigger', { ...place, ...flat(now) })],
  update: (_, now, place) => [family.op('create_event_trigger', { ...place, ...flat(now), replace: true })],
  delete: ({ name = null }, { source = null }) => [family.op('delete_event_trigger', { source, name })],
  sideEffects: (old, now) => (now === null ? leaving(old) : changing(old, now)),
}))

/** Operations have what it captures in addition to its other parts. */
const flat = ({ definition, ...others }: JsonObject): JsonObject => ({ ...others, ...recordOf(definition) })

const triggerOf = ({ name }: JsonObject, operation: Operation) =>
  `notify_svc_${String(name)}_${operation.toUpperCase()}`

const leaving = (old: JsonObject): readonly string[] => {
  const triggers = operations.filter((operation) => recordOf(old.definition)[operation] !== undefined)
  return [
    ...(triggers.length === 0
      ? []
      : [`In the database ${triggers.map((operation) => triggerOf(old, operation)).join(', ')} will be dropped.`]),
    'Events of the old one that are not delivered by then stay archived, and are delivered no more.',
  ]
}

/** reference/event-triggers#in-the-database: an existing trigger is unchanged, its function is replaced. */
function changing(old: JsonObject, now: JsonObject): readonly string[] {
  const [before, after] = [recordOf(old.definition), recordOf(now.definition)]
  const changed = changedKeys(before, after)
  const replication = changedKeys(old, now).includes('trigger_on_replication')
  return operations.flatMap((operation): readonly string[] => {
    const [was, is]: readonly (Json | undefined)[] = [before[operation], after[operation]]
    const trigger = triggerOf(now, operation)
    if (was === undefined && is === undefined) return []
    if (was === undefined)
      return [`In the database ${trigger} will be created, once running writes to the table have ended.`]
    if (is === undefined) return [`In the database ${trigger} will be dropped.`]
    if (changed.includes(operation))
      return [`In the database the function of ${trigger} will be replaced: events captured before keep their form.`]
    return replication
      ? [`In the database ${trigger} will be altered, once running writes to the table have ended.`]
      : []
  })
}
