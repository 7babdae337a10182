import { isRecord, type JsonObject, type MetadataObject, tableAddress } from '@svc/schema'
import { sourceKindsReadKey } from '../../graph.ts'
import type { ModelInput } from '../../model-settings.ts'
import type { Claim } from '../../names/claim.ts'
import type { DatabaseNames } from '../../rename/database-names.ts'
import { mapList } from '../../rename/map-list.ts'
import { rewriteMapping } from '../../rename/rewrite-references.ts'
import { ResolutionError, reasonText } from '../../resolve/resolution-error.ts'
import { tableIdOf } from '../../table-id.ts'
import type { Part, Reading } from '../part.ts'
import type { SourceTypes } from './find-base.ts'
import { resolveCustomTypes, type TypeProblem } from './resolve-custom-types.ts'
import type { ActionTypes } from './resolved-action.ts'

/** The tables that relationships of object types lead to. */
const renameInCustomTypes = (value: JsonObject, names: DatabaseNames): JsonObject =>
  value.objects === undefined
    ? value
    : { ...value, objects: mapList(value.objects, (object) => rewriteObjectType(object, names)) }

function rewriteObjectType(object: JsonObject, names: DatabaseNames): JsonObject {
  if (object.relationships === undefined) return object
  const rewrite = (relationship: JsonObject): JsonObject => {
    if (relationship.source !== names.source || !isRecord(relationship.remote_table)) return relationship
    const target = names.idOf(relationship.remote_table)
    return {
      ...relationship,
      remote_table: names.table(relationship.remote_table),
      field_mapping: rewriteMapping(relationship.field_mapping, null, target, names),
    }
  }
  return { ...object, relationships: mapList(object.relationships, rewrite) }
}

/** The types of actions, all of them or none (reference/actions#custom-types). */
export const customTypesPart: Part<ActionTypes, 'custom_types'> = {
  key: 'custom_types',
  type: 'custom_types',
  rename: (value, { names }) => renameInCustomTypes(value, names),
  namesTables: 'of-all-sources',
  dependentText: () => 'custom types',
  resolve({ value, input }, reading) {
    const addressOf = (source: string, table: unknown) => {
      const name = typeof table === 'string' ? { schema: 'public', name: table } : (table as MetadataObject['value'])
      return tableAddress(source, name)
    }
    const { types, problems } = resolveCustomTypes(value, {
      sources: sourceTypes(input, reading),
      table: (source, table) => reading.tables.table(tableIdOf(addressOf(source, table))),
      addressOf,
      whyNotServed: reading.whyNotServed,
    })
    if (problems.length > 0) throw errorOf(problems)
    return types
  },
  names: ({ enums, inputs, objects }) => ({
    claims: [...enums.keys(), ...inputs.keys(), ...objects.keys()].map(
      (name): Claim => ({ kind: 'type', name, isRow: false }),
    ),
    at: [],
  }),
  same: (a, b) => a.declared === b.declared && basesOf(a) === basesOf(b),
}

/** The default source first; one that cannot be reached now still has its kind of database. */
export function sourceTypes({ sources }: ModelInput, reading: Reading): SourceTypes {
  reading.note(sourceKindsReadKey)
  return [...sources]
    .sort(([a], [b]) => Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1))
    .flatMap(([source, { backend }]) => (backend ? [{ source, types: backend.types }] : []))
}

function errorOf(problems: readonly TypeProblem[]): ResolutionError {
  const [first] = problems
  const why = reasonText(problems.map(({ text }) => text))
  return new ResolutionError(`validation for the given custom types failed ${why}`, {
    cause: problems.every(({ cause }) => cause === 'metadata') ? 'metadata' : 'definition',
    ...(first && { at: first.at }),
    needs: problems.flatMap(({ needs }) => needs ?? []),
  })
}

/** What the names in them mean, in addition to what they declare. */
const basesOf = ({ objects, inputs }: ActionTypes): string =>
  JSON.stringify(
    [...objects.values(), ...inputs.values()].map(({ fields }) => [...fields.values()].map(({ base }) => base)),
  )
