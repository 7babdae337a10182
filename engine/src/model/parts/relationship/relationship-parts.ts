import { address, findObject, type ObjectAddress, type ObjectChange, ownKey } from '@svc/schema'
import { relationshipReadKey } from '../../graph.ts'
import { rewriteUsing } from '../../rename/rewrite-references.ts'
import type { ResolvedRelationship } from '../../resolved-rows.ts'
import { tableIdOf } from '../../table-id.ts'
import type { Changes } from '../../update/find-changes.ts'
import { draftLookup } from '../../update/model-draft.ts'
import type { KindFacts, Part } from '../part.ts'
import { tableStore } from '../table-store.ts'
import { declaredNames, resolveRelationship } from './resolve-relationship.ts'

const facts: KindFacts = {
  readKeys: (at, { value }) => [relationshipReadKey(tableIdOf(at), String(value.name))],
  dependentText: ({ above, own }) => `relationship ${above}.${own}`,
  isCascaded: true,
  rename: (value, { own, names }) =>
    own === null ? value : { ...value, using: rewriteUsing(value.using, own, names) },
  namesTables: 'of-its-source',
}

/** An object and an array relationship of one name do not get in each other's way here: only one is ever resolved. */
const storeOf = (kind: ResolvedRelationship['kind']) =>
  tableStore<ResolvedRelationship>({
    of: (parts) => parts.relationships,
    get(draft, id, name) {
      const found = draftLookup(draft).relationship(id, name)
      return found?.kind === kind ? found : undefined
    },
    readKey: relationshipReadKey,
  })

/** Relationships between served tables (reference/metadata-operations#relationships); they stand in their table. */
export const objectRelationPart: Part<ResolvedRelationship, 'object_relation'> = {
  key: 'object_relation',
  type: 'object_relation',
  resolve({ value, input }, { table, tables }) {
    const declared = declaredNames(findObject(input.document, table.address))
    return resolveRelationship(value, 'object', table.shape, table.graphql, declared, tables)
  },
  ...facts,
  store: storeOf('object'),
}

export const arrayRelationPart: Part<ResolvedRelationship, 'array_relation'> = {
  key: 'array_relation',
  type: 'array_relation',
  resolve({ value, input }, { table, tables }) {
    const declared = declaredNames(findObject(input.document, table.address))
    return resolveRelationship(value, 'array', table.shape, table.graphql, declared, tables)
  },
  more: rivals,
  ...facts,
  store: storeOf('array'),
}

/** Array relationships whose name, or whose `<name>_aggregate`, is taken or freed by one that came or went. */
function rivals({ byType, newTables }: Changes): readonly ObjectAddress[] {
  return (['object_relation', 'array_relation'] as const)
    .flatMap((type) => byType.get(type) ?? [])
    .filter(({ change, address: { parent } }) => change !== 'update' && !(parent && newTables.has(parent)))
    .flatMap(rivalsOf)
}

function rivalsOf({ address: at, old, new: object }: ObjectChange): readonly ObjectAddress[] {
  const name = String((object ?? old)?.value.name)
  const names = name.endsWith('_aggregate') ? [name, name.slice(0, -'_aggregate'.length)] : [name]
  return names.map((candidate) => address('array_relation', ownKey('array_relation', { name: candidate }), at.parent))
}
