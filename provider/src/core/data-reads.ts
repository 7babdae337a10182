import { type Json, keyedObject, type MetadataDocument, objectName, writeMetadata } from '@svc/schema'
import { type MetadataClient, type MetadataSnapshot, readChanges } from '../client/index.ts'
import {
  catalogue,
  identityOf,
  importId,
  isValues,
  type JsonSpelling,
  kindOfType,
  partKindsOf,
  type ResourceKind,
  type Value,
  type Values,
  valuesOf,
  withDigitsAsTexts,
} from '../resources/index.ts'
import { type ObjectOfKind, objectsOfKind } from './objects-of-kind.ts'
import { redactDocument, redactLogged } from './redact.ts'
import { type PlacedObject, walkObjects } from './walk-objects.ts'

/** What data sources read from. */
interface DataReader {
  readonly client: MetadataClient
  readonly snapshot: MetadataSnapshot
  readonly spelling: JsonSpelling
  /** What a kind is called. */
  readonly kindName: (kind: ResourceKind) => string
}

type Read = (reader: DataReader, config: Values) => Promise<Values>

/** The outputs of each data source, from its inputs. Throw ClientError. */
export const dataReads: Readonly<Record<string, Read>> = {
  async metadata({ snapshot, spelling }, { show_secrets: clear }) {
    const { document, resourceVersion, catalogId } = await snapshot.read()
    return {
      metadata: inJson(writeMetadata(clear === true ? document : redactDocument(document)), spelling),
      resource_version: resourceVersion,
      catalog_id: catalogId,
    }
  },
  async metadata_changes(
    { client, snapshot, spelling },
    { since_resource_version: since, catalog_id: catalog, show_secrets: clear },
  ) {
    const log = await readChanges(client, Number(since), typeof catalog === 'string' ? catalog : null)
    if (!log.complete) {
      const { resourceVersion } = await snapshot.read()
      return { resource_version: resourceVersion, complete: false, reason: log.reason, changes: [] }
    }
    const shown = (type: string, value: Json) => inJson(clear === true ? value : redactLogged(type, value), spelling)
    const changes = log.changes.map(
      ({ resourceVersion, at, operation, change, object, by, old, new: now }): Values => ({
        resource_version: resourceVersion,
        at,
        operation,
        change,
        type: object.type,
        name: object.name,
        by: inJson(by, spelling),
        old: shown(object.type, old),
        new: shown(object.type, now),
      }),
    )
    return { resource_version: log.resourceVersion, complete: true, reason: null, changes }
  },
  async unmanaged_objects({ snapshot, spelling, kindName }, { managed = null }) {
    const { document } = await snapshot.read()
    return { objects: objectsOf(document, spelling, kindName).filter((object) => !isManaged(object, managed)) }
  },
  async objects({ snapshot, spelling, kindName }, { kind: wanted, source = null }) {
    const { document } = await snapshot.read()
    const kind = catalogue.find((one) => kindName(one) === wanted)
    const found = kind ? objectsOfKind(document, kind, spelling) : []
    const isChosen = ({ values }: ObjectOfKind) =>
      source === null || (kind?.type === 'source' ? values.name : values.source) === source
    return {
      objects: found.filter(isChosen).map(({ id, name, values }) => ({
        id,
        name,
        attributes: spelling === 'text' ? JSON.stringify(values) : values,
      })),
    }
  },
}

/** In the order of the export. Tools of doubles get longer numbers as texts. */
function inJson(json: Json, spelling: JsonSpelling): Value {
  switch (spelling) {
    case 'text':
      return JSON.stringify(json)
    case 'value':
      return json
    case 'doubles':
      return withDigitsAsTexts(json)
  }
}

function isManaged({ kind, id }: Values, managed: Value): boolean {
  const ids = isValues(managed) && typeof kind === 'string' ? managed[kind] : null
  return Array.isArray(ids) && (ids as readonly Value[]).includes(id ?? null)
}

/** Every object of a document with the id it is imported by, parents first. */
const objectsOf = (
  document: MetadataDocument,
  spelling: JsonSpelling,
  kindName: DataReader['kindName'],
): readonly Values[] =>
  [...walkObjects(document)].flatMap((placed) => {
    const whole = kindOfType(placed.at.type, placed.sourceKind)
    const parts = whole ? [] : partKindsOf(placed.at.type)
    if (parts.length === 0) return [describe(document, placed, spelling, kindName, whole)]
    return parts.flatMap((kind) =>
      (kind.part?.parts(placed.object.value) ?? []).map((value) =>
        describe(document, { ...placed, object: { ...placed.object, value } }, spelling, kindName, kind),
      ),
    )
  })

function describe(
  document: MetadataDocument,
  { object, at, place }: PlacedObject,
  spelling: JsonSpelling,
  kindName: DataReader['kindName'],
  kind: ResourceKind | undefined,
): Values {
  const { type, value } = object
  const identity = kind ? identityOf(kind, valuesOf(kind, value, place, spelling)) : null
  return {
    kind: kind ? kindName(kind) : null,
    id: identity && importId(identity),
    type,
    name: objectName(keyedObject(document, at)).name,
  }
}
