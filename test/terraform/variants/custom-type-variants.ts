import { type Config, changing, type Makers, without } from './variant.ts'

const orderRelationship: Config = {
  name: 'target',
  type: 'object',
  remote_table: { name: 'target' },
  field_mapping: { id: 'id' },
}

const relationshipChanges: Readonly<Record<string, readonly [Config, Config]>> = {
  name: [{}, { name: 'renamed' }],
  type: [{}, { type: 'array' }],
  source: [{}, { source: 'second' }],
  'remote_table.schema': [{}, { remote_table: { schema: 'other', name: 'target' } }],
  'remote_table.name': [{}, { remote_table: { name: 'target_2' } }],
  field_mapping: [{}, { field_mapping: { other_id: 'id' } }],
}

const fieldChanges: Readonly<Record<string, readonly [Config, Config]>> = {
  name: [{}, { name: 'b' }],
  type: [{}, { type: 'String' }],
  description: [{ description: 'a' }, { description: 'b' }],
}

/** There is one of it: the variants' types are next to each other, each in a configuration of its own. */
export function customTypesVariants(): Makers {
  const base = (): Config => ({})
  const input: Config = { name: 'Item', fields: [{ name: 'a', type: 'Int' }] }
  const order: Config = {
    name: 'Order',
    fields: [
      { name: 'id', type: 'Int!' },
      { name: 'other_id', type: 'Int!' },
    ],
    relationships: [orderRelationship],
  }
  const choice: Config = { name: 'Choice', values: [{ value: 'A' }] }
  const item = (list: string, of: Config, attribute: string, from: Config, to: Config): Makers => ({
    [`${list}.*.${attribute}`]: changing(base, { [list]: [{ ...of, ...from }] }, { [list]: [{ ...of, ...to }] }),
  })
  const head = (list: string, of: Config): Makers => ({
    ...item(list, of, 'name', {}, { name: 'Renamed' }),
    ...item(list, of, 'description', { description: 'a' }, { description: 'b' }),
  })
  const below = (
    list: string,
    of: Config,
    inner: string,
    own: Config,
    changes: Readonly<Record<string, readonly [Config, Config]>>,
  ): Makers =>
    Object.assign(
      {},
      ...Object.entries(changes).map(([attribute, [from, to]]) =>
        item(list, of, `${inner}.*.${attribute}`, { [inner]: [{ ...own, ...from }] }, { [inner]: [{ ...own, ...to }] }),
      ),
    )
  const plain: Config = { name: 'a', type: 'Int' }
  const alone = without({ ...order, relationships: null })
  return {
    ...head('input_objects', input),
    ...below('input_objects', input, 'fields', plain, fieldChanges),
    ...head('objects', alone),
    ...below('objects', alone, 'fields', plain, fieldChanges),
    ...below('objects', order, 'relationships', orderRelationship, relationshipChanges),
    ...head('scalars', { name: 'Money' }),
    ...head('enums', choice),
    ...below(
      'enums',
      choice,
      'values',
      { value: 'A' },
      {
        value: [{}, { value: 'B' }],
        description: [{ description: 'a' }, { description: 'b' }],
        is_deprecated: [{}, { is_deprecated: true }],
      },
    ),
  }
}

export function customTypeVariants(): Makers {
  const base = (slot: string): Config => ({
    name: slot,
    fields: [
      { name: 'id', type: 'Int!' },
      { name: 'other_id', type: 'Int!' },
    ],
  })
  const shape = (attribute: string, from: Config, to: Config): Makers => ({
    [attribute]: changing(base, { fields: null, ...from }, { fields: null, ...to }),
  })
  const each = (
    list: string,
    own: Config,
    changes: Readonly<Record<string, readonly [Config, Config]>>,
    more: Config = { fields: null },
  ): Makers =>
    Object.assign(
      {},
      ...Object.entries(changes).map(([attribute, [from, to]]) => ({
        [`${list}.*.${attribute}`]: changing(
          base,
          { ...more, [list]: [{ ...own, ...from }] },
          { ...more, [list]: [{ ...own, ...to }] },
        ),
      })),
    )
  const plain: Config = { name: 'a', type: 'Int' }
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    description: changing(base, { description: 'first' }, { description: 'second' }),
    ...each('input_fields', plain, fieldChanges),
    ...each('fields', plain, fieldChanges),
    ...each('relationships', orderRelationship, relationshipChanges, {}),
    ...each(
      'values',
      { value: 'A' },
      {
        value: [{}, { value: 'B' }],
        description: [{ description: 'a' }, { description: 'b' }],
        is_deprecated: [{}, { is_deprecated: true }],
      },
    ),
    ...shape('scalar', { values: [{ value: 'A' }] }, { scalar: true }),
  }
}
