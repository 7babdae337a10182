import {
  addressText,
  diffDocuments,
  type JsonObject,
  keyedObject,
  type MetadataDocument,
  nameText,
  type ObjectAddress,
  type ObjectChange,
  type ObjectType,
  objectName,
} from '@svc/schema'
import type { Envelope } from '../../provider/src/client/index.ts'
import { StartError } from './terminal.ts'

export type Step = {
  readonly change: ObjectChange['change']
  /** `select_permission customer in table invoice in source default` */
  readonly name: string
  readonly operation: Envelope
}

/** What makes the live metadata, `before`, equal to the wanted one, in an order that works. Nothing: both are equal. */
export function makePlan(before: MetadataDocument, after: MetadataDocument): readonly Step[] {
  const changes = diffDocuments(before, after)
  const gone = new Set(changes.filter(({ change }) => change === 'delete').map(({ address }) => addressText(address)))
  const isGoneWithParent = ({ parent }: ObjectAddress) => parent !== null && gone.has(addressText(parent))
  return changes
    .filter((each) => !(each.change === 'delete' && isGoneWithParent(each.address)))
    .toSorted((a, b) => rank(a) - rank(b) || compare(addressText(a.address), addressText(b.address)))
    .map((each) => {
      const keyed = keyedObject(each.change === 'delete' ? before : after, each.address)
      return { change: each.change, name: nameText(keyed), operation: operationFor(each, objectName(keyed).key) }
    })
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const ORDER: readonly ObjectType[] = [
  'source',
  'table',
  'object_relationship',
  'array_relationship',
  'select_permission',
]

/** What depends on others comes after them, and goes before them. */
function rank({ change, address }: ObjectChange): number {
  const place = ORDER.indexOf(address.type)
  return change === 'delete' ? -1 - place : place
}

function operationFor({ change, address, new: now, old }: ObjectChange, key: JsonObject): Envelope {
  const create = { type: '', args: { ...key, ...now?.value } }
  switch (address.type) {
    case 'source':
      return {
        ...create,
        type: change === 'create' ? 'pg_add_source' : change === 'update' ? 'pg_update_source' : 'pg_drop_source',
      }
    case 'table': {
      if (change === 'create') return { ...create, type: 'pg_track_table' }
      if (change === 'delete') return { type: 'pg_untrack_table', args: { ...key, cascade: true } }
      return { type: 'pg_set_table_customization', args: { ...key, configuration: now?.value.configuration ?? {} } }
    }
    case 'object_relationship':
    case 'array_relationship':
      return replacing(
        change,
        {
          type: 'pg_drop_relationship',
          args: { source: key.source ?? null, table: key.table ?? null, relationship: old?.value.name ?? null },
        },
        { ...create, type: `pg_create_${address.type}` },
      )
    case 'select_permission':
      return replacing(
        change,
        { type: 'pg_drop_select_permission', args: key },
        { ...create, type: 'pg_create_select_permission' },
      )
    default:
      throw new StartError(
        `The engine holds ${address.type} ${address.own}, which the example does not declare: drop it.`,
      )
  }
}

/** The API knows no update of these: drop and create as one step. */
function replacing(change: ObjectChange['change'], drop: Envelope, create: Envelope): Envelope {
  switch (change) {
    case 'create':
      return create
    case 'delete':
      return drop
    case 'update':
      return { type: 'bulk_atomic', args: [drop, create].map(({ type, args }) => ({ type, args })) }
  }
}
