import { equalJson, isRecord, type JsonObject } from '@svc/schema'
import { declaredRelationshipReadKey, partReadKey, servedReadKey, verdictReadKey } from '../../graph.ts'
import type { Claim, Names } from '../../names/claim.ts'
import { scalarsOf } from '../../names/reserved-names.ts'
import type { DatabaseNames } from '../../rename/database-names.ts'
import { mapList } from '../../rename/map-list.ts'
import { rewriteManual } from '../../rename/rewrite-references.ts'
import { objectId } from '../../table-id.ts'
import { logicalContext } from '../logical-model/logical-context.ts'
import { logicalModelPart } from '../logical-model/logical-model-part.ts'
import { logicalModelAddress, sameLogicalNode } from '../logical-model/logical-shape.ts'
import type { Part, Reading } from '../part.ts'
import { samePermission } from '../permission/same-permission.ts'
import { type NativeNode, resolveNativeQuery } from './resolve-native-query.ts'

/**
 * A native query without its relationships (reference/metadata-operations#native-queries-and-logical-models); served
 * once these are resolved as well.
 */
export const nativeQueryPart: Part<NativeNode, 'native_query'> = {
  key: 'native_query',
  type: 'native_query',
  rename: (value, { own, names }) => (own === null ? value : renameInNativeQuery(value, names)),
  namesTables: 'of-its-source',
  title: ({ value }) => `native query "${String(value.root_field_name)}"`,
  resolve({ at, value, input }, reading) {
    const { source } = reading
    reading.note(verdictReadKey(source.name, at.own))
    const verdict = input.settings.ignoreNativeQueryVerdicts
      ? undefined
      : source.state.queries.checked.get(at.own)?.verdict
    const node = resolveNativeQuery(value, {
      ...logicalContext(reading),
      own: at.own,
      model: (name) => reading.value(logicalModelPart, objectId(logicalModelAddress(source.own, name))) ?? undefined,
      verdict: verdict ?? { status: 'unchecked' },
      ...(input.settings.headerPrefix !== undefined && { headerPrefix: input.settings.headerPrefix }),
    })
    for (const name of Object.keys(node.declared)) reading.note(declaredRelationshipReadKey(node.rows.id, name))
    return node
  },
  // those that lead to it read that it is served
  readKeys: (at) => [partReadKey('native_query', objectId(at)), servedReadKey(objectId(at))],
  names: namesOf,
  same: (a, b) =>
    equalJson(a.query, b.query) &&
    sameLogicalNode(a.rows, b.rows) &&
    equalJson(a.models, b.models) &&
    equalJson(a.declared, b.declared) &&
    equalJson([...a.permissions.keys()], [...b.permissions.keys()]) &&
    [...a.permissions].every(([role, one]) => {
      const other = b.permissions.get(role)
      return other !== undefined && samePermission(one, other)
    }),
}

function namesOf({ query, rows }: NativeNode, { source }: Reading): Names {
  const { types } = source.state.backend
  const { name, arguments: given, argumentsName } = query
  const claims: readonly Claim[] = [
    { kind: 'root', root: 'query', key: name, name, owner: { kind: 'native_query', query: query.id } },
    ...(given.length > 0 ? [{ kind: 'type', name: argumentsName, isRow: false } as const] : []),
    // rows that it describes in place
    ...(rows.id.includes('//query/') ? [{ kind: 'type', name, isRow: true } as const] : []),
  ]
  const scalars = new Set([...given.map(({ type }) => types.graphqlScalar(type)), ...scalarsOf(rows.columns, types)])
  return { claims, at: ['root_field_name'], scalars, types }
}

/** The tables that its relationships lead to; its own SQL is not this stack's to rewrite. */
function renameInNativeQuery(value: JsonObject, names: DatabaseNames): JsonObject {
  const rewrite = (relationship: JsonObject): JsonObject => {
    const { using } = relationship
    if (!isRecord(using) || !isRecord(using.manual_configuration)) return relationship
    const manual = rewriteManual(using.manual_configuration, null, names)
    return { ...relationship, using: { ...using, manual_configuration: manual } }
  }
  const lists = (['object_relationships', 'array_relationships'] as const).filter((key) => value[key] !== undefined)
  return { ...value, ...Object.fromEntries(lists.map((key) => [key, mapList(value[key], rewrite)])) }
}
