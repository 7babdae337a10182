import { type Base, type Config, changing, inObject, type Makers, type Pair, type VariantPlaces } from './variant.ts'
import { headerVariants } from './webhook-variants.ts'

/** So that no name is there twice, whatever other remote schemas of the same server there are. */
export const remoteNames = (slot: string): Config => ({
  root_fields_namespace: slot,
  type_names: { prefix: `${slot}_` },
})

export function remoteSchemaVariants({ remoteUrl }: VariantPlaces): Makers {
  const base = (slot: string): Config => ({ name: slot, url: remoteUrl, customization: remoteNames(slot) })
  const customized =
    (of: (slot: string, second: boolean) => Config) =>
    (slot: string): Pair => {
      const one = (second: boolean) => ({ ...base(slot), customization: { ...remoteNames(slot), ...of(slot, second) } })
      return [one(false), one(true)]
    }
  const typeNames = (of: (slot: string, second: boolean) => Config) =>
    customized((slot, second) => ({ type_names: { prefix: `${slot}_`, ...of(slot, second) } }))
  const fieldNames = (of: (second: boolean) => Config) =>
    customized((_, second) => ({ field_names: [{ parent_type: 'User', prefix: 'a_', ...of(second) }] }))
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    url: changing(base, {}, { url: `${remoteUrl}?b` }),
    url_from_env: changing(
      base,
      { url: null, url_from_env: 'SVC_TEST_REMOTE_A' },
      { url: null, url_from_env: 'SVC_TEST_REMOTE_B' },
    ),
    ...headerVariants(base),
    forward_client_headers: changing(base, {}, { forward_client_headers: true }),
    timeout_seconds: changing(base, { timeout_seconds: 5 }, { timeout_seconds: 6 }),
    'customization.root_fields_namespace': customized((slot, second) => ({
      root_fields_namespace: second ? `${slot}_2` : slot,
    })),
    'customization.type_names.prefix': typeNames((slot, second) => ({ prefix: second ? `${slot}_2_` : `${slot}_` })),
    'customization.type_names.suffix': typeNames((_, second) => ({ suffix: second ? 'B' : 'A' })),
    'customization.type_names.mapping': typeNames((slot, second) => ({
      mapping: { User: `${slot}_${second ? 'Q' : 'P'}` },
    })),
    'customization.field_names.*.parent_type': fieldNames((second) => ({ parent_type: second ? 'Employer' : 'User' })),
    'customization.field_names.*.prefix': fieldNames((second) => ({ prefix: second ? 'b_' : 'a_' })),
    'customization.field_names.*.suffix': fieldNames((second) => ({ suffix: second ? '_b' : '_a' })),
    'customization.field_names.*.mapping': fieldNames((second) => ({ mapping: { name: second ? 'called' : 'named' } })),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
    reload_when: changing(base, { reload_when: '1' }, { reload_when: '2' }),
  }
}

export function remoteSchemaPermissionVariants(): Makers {
  const base = (slot: string): Config => ({
    remote_schema: slot,
    role: 'reader',
    schema: 'type Query { user(id: Int! @preset(value: 1)): User } type User { id: Int! }',
  })
  return {
    remote_schema: (slot) => [base(slot), { ...base(slot), remote_schema: `${slot}_2` }],
    role: changing(base, {}, { role: 'writer' }),
    schema: changing(base, {}, { schema: 'type Query { user(id: Int!): User } type User { name: String }' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

const userField = (more: Config = {}): string => JSON.stringify({ user: { arguments: { id: '$id', ...more } } })

/** Columns of a table that points at those of all variants. */
const pointing = (column: string): Config => ({
  table: { name: 'pointing' },
  field_mapping: { id: `remoterelationship_source_${column}` },
})

/** What both kinds of remote relationship lead to. */
function remoteTargetVariants(base: Base): Makers {
  const toSource: Config = {
    relationship_type: 'array',
    source: 'second',
    table: { name: 'target' },
    field_mapping: { id: 'id' },
  }
  const toRemote: Config = { remote_schema: 'far', lhs_fields: ['id'], remote_field: userField() }
  const source = inObject(base, 'to_source', toSource)
  const remote = inObject(base, 'to_remote_schema', toRemote)
  return {
    ...source('relationship_type', {}, { relationship_type: 'object' }),
    ...source('source', {}, { source: 'default' }),
    ...source('table.schema', {}, { table: { schema: 'other', name: 'target' } }),
    ...source('table.name', {}, { table: { name: 'target_2' } }),
    ...source('field_mapping', pointing('id'), pointing('other_id')),
    ...remote('remote_schema', {}, { remote_schema: 'far_2' }),
    ...remote('lhs_fields', {}, { lhs_fields: [], remote_field: JSON.stringify({ users: { arguments: {} } }) }),
    ...remote('remote_field', {}, { remote_field: userField({ lang: 'de' }) }),
  }
}

export function remoteRelationshipVariants(): Makers {
  const table = (slot: string): Config => ({ table: { name: slot }, name: 'far' })
  const base = (slot: string): Config => ({
    ...table(slot),
    to_remote_schema: { remote_schema: 'far', lhs_fields: ['id'], remote_field: userField() },
  })
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': (slot) => [base(slot), { ...base(slot), table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [base(slot), { ...base(slot), table: { name: `${slot}_2` } }],
    name: changing(base, {}, { name: 'farther' }),
    ...remoteTargetVariants(table),
  }
}

export function remoteTypeRelationshipVariants(): Makers {
  const type = (slot: string): Config => ({ remote_schema: 'far', type_name: 'User', name: slot })
  const base = (slot: string): Config => ({
    ...type(slot),
    to_remote_schema: { remote_schema: 'far', lhs_fields: ['id'], remote_field: userField() },
  })
  return {
    remote_schema: changing(base, {}, { remote_schema: 'far_2' }),
    type_name: changing(base, {}, { type_name: 'Employer' }),
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    ...remoteTargetVariants(type),
  }
}
