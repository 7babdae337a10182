import { type Config, changing, type Json, type Makers, without } from './variant.ts'

export function logicalModelVariants(): Makers {
  const base = (slot: string): Config => ({ name: slot, fields: [{ name: 'id', scalar: 'integer' }] })
  const field = (attribute: string, from: Config, to: Config) => ({
    [`fields.*.${attribute}`]: changing(base, { fields: [from] }, { fields: [to] }),
  })
  const id: Config = { name: 'id', scalar: 'integer' }
  return {
    source: changing(base, {}, { source: 'second' }),
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    ...field('name', id, { ...id, name: 'key' }),
    ...field('scalar', id, { ...id, scalar: 'bigint' }),
    ...field('logical_model', { name: 'id', logical_model: 'inner' }, { name: 'id', logical_model: 'inner_2' }),
    ...field('array', id, { ...id, array: true }),
    ...field('nullable', id, { ...id, nullable: true }),
    ...field('element_nullable', { ...id, array: true }, { ...id, array: true, element_nullable: true }),
    ...field('description', { ...id, description: 'a' }, { ...id, description: 'b' }),
    description: changing(base, { description: 'first' }, { description: 'second' }),
  }
}

/** The variants' logical models are tracked in both sources, in the second as `second_SLOT`. */
export function logicalModelPermissionVariants(): Makers {
  const base = (slot: string): Config => ({ logical_model: slot, role: 'reader', all_columns: true, filter: '{}' })
  return {
    source: (slot) => [base(slot), { ...base(slot), source: 'second', logical_model: `second_${slot}` }],
    logical_model: (slot) => [base(slot), { ...base(slot), logical_model: `${slot}_2` }],
    role: changing(base, {}, { role: 'writer' }),
    columns: changing(base, { all_columns: null, columns: ['id'] }, { all_columns: null, columns: ['note', 'id'] }),
    all_columns: changing(base, {}, { all_columns: null, columns: ['id'] }),
    filter: changing(base, {}, { filter: JSON.stringify({ id: { _gt: 1 } }) }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** The same of theirs. */
export function nativeQueryVariants(): Makers {
  const code = 'SELECT 1 AS id, {{note}}::text AS note'
  const base = (slot: string): Config => ({
    root_field_name: slot,
    code,
    arguments: { note: { type: 'text' } },
    returns: slot,
  })
  const argument = (attribute: string, from: Config, to: Config) => ({
    [`arguments.*.${attribute}`]: changing(base, { arguments: { note: from } }, { arguments: { note: to } }),
  })
  const inline = (columns: Json): Config => ({
    returns: null,
    returns_inline: JSON.stringify({
      fields: [{ name: 'id', type: { scalar: 'integer' } }],
      select_permissions: [{ role: 'reader', permission: { columns, filter: {} } }],
    }),
  })
  const leading: Config = { name: 'others', remote_table: { name: 'target' }, column_mapping: { id: 'id' } }
  const relationship = (list: string, attribute: string, from: Config, to: Config) => ({
    [`${list}.*.${attribute}`]: changing(
      base,
      { [list]: [without({ ...leading, ...from })] },
      { [list]: [without({ ...leading, ...to })] },
    ),
  })
  const relationships = (list: string): Makers => ({
    ...relationship(list, 'name', {}, { name: 'renamed' }),
    ...relationship(list, 'remote_table.schema', {}, { remote_table: { schema: 'other', name: 'target' } }),
    ...relationship(list, 'remote_table.name', {}, { remote_table: { name: 'target_2' } }),
    ...relationship(
      list,
      'remote_native_query',
      { remote_table: null, remote_native_query: 'other_query' },
      { remote_table: null, remote_native_query: 'other_query_2' },
    ),
    ...relationship(
      list,
      'column_mapping',
      { remote_table: { name: 'target' } },
      { remote_table: { name: 'pairs' }, column_mapping: { id: 'id', note: 'note' } },
    ),
    ...relationship(list, 'comment', { comment: 'first' }, { comment: 'second' }),
  })
  return {
    source: (slot) => [base(slot), { ...base(slot), source: 'second', returns: `second_${slot}` }],
    root_field_name: (slot) => [base(slot), { ...base(slot), root_field_name: `${slot}_2` }],
    code: changing(base, {}, { code: `${code} WHERE true` }),
    ...argument('type', { type: 'text' }, { type: 'varchar' }),
    ...argument('nullable', { type: 'text' }, { type: 'text', nullable: true }),
    ...argument('description', { type: 'text', description: 'a' }, { type: 'text', description: 'b' }),
    returns: (slot) => [base(slot), { ...base(slot), returns: `${slot}_2` }],
    returns_inline: changing(base, inline(['id']), inline('*')),
    description: changing(base, { description: 'first' }, { description: 'second' }),
    ...relationships('object_relationships'),
    ...relationships('array_relationships'),
  }
}
