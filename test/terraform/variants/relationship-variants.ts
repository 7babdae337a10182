import { type Config, changing, type Makers, type Pair } from './variant.ts'

/** Every variant's own table is tracked twice: in both schemas and both sources. */
const inOwnTable = (slot: string): Config => ({ table: { name: slot }, name: 'others' })

const identityOfRelationship: Makers = {
  source: changing((slot) => inOwnTable(slot), {}, { source: 'second' }),
  'table.schema': (slot) => [inOwnTable(slot), { ...inOwnTable(slot), table: { schema: 'other', name: slot } }],
  'table.name': (slot) => [inOwnTable(slot), { ...inOwnTable(slot), table: { name: `${slot}_2` } }],
  name: changing(inOwnTable, {}, { name: 'renamed' }),
  comment: changing(inOwnTable, { comment: 'first' }, { comment: 'second' }),
}

const inBoth = (makers: Makers, more: Config): Makers =>
  Object.fromEntries(
    Object.entries(makers).map(([attribute, make]) => [
      attribute,
      (slot) => make(slot).map((config) => ({ ...more, ...config })) as unknown as Pair,
    ]),
  )

function manualVariants(): Makers {
  const manual = (more: Config): Config => ({
    manual_configuration: { remote_table: { name: 'target' }, column_mapping: { id: 'id' }, ...more },
  })
  return {
    'manual_configuration.remote_table.schema': changing(
      inOwnTable,
      manual({}),
      manual({ remote_table: { schema: 'other', name: 'target' } }),
    ),
    'manual_configuration.remote_table.name': changing(
      inOwnTable,
      manual({}),
      manual({ remote_table: { name: 'target_2' } }),
    ),
    'manual_configuration.column_mapping': changing(
      inOwnTable,
      manual({}),
      manual({ column_mapping: { other_id: 'id' } }),
    ),
    'manual_configuration.insertion_order': changing(
      inOwnTable,
      manual({ insertion_order: 'before_parent' }),
      manual({ insertion_order: 'after_parent' }),
    ),
  }
}

/** `pointing_at_SLOT` and its likes have foreign keys to a variant's table. */
function remoteVariants(): Makers {
  const remote = (slot: string, more: Config): Config => ({
    ...inOwnTable(slot),
    remote_foreign_key: { table: { name: 'pointing' }, columns: [`${slot}_id`], ...more },
  })
  return {
    'remote_foreign_key.table.schema': (slot) => [
      remote(slot, {}),
      remote(slot, { table: { schema: 'other', name: 'pointing' } }),
    ],
    'remote_foreign_key.table.name': (slot) => [remote(slot, {}), remote(slot, { table: { name: 'pointing_2' } })],
    'remote_foreign_key.columns': (slot) => [remote(slot, {}), remote(slot, { columns: [`${slot}_other_id`] })],
  }
}

export function objectRelationshipVariants(): Makers {
  return {
    ...inBoth(identityOfRelationship, { foreign_key_columns: ['other_id'] }),
    foreign_key_columns: changing(
      inOwnTable,
      { foreign_key_columns: ['other_id'] },
      { foreign_key_columns: ['third_id'] },
    ),
    ...remoteVariants(),
    ...manualVariants(),
  }
}

export function arrayRelationshipVariants(): Makers {
  const manual = { manual_configuration: { remote_table: { name: 'target' }, column_mapping: { id: 'id' } } }
  return { ...inBoth(identityOfRelationship, manual), ...remoteVariants(), ...manualVariants() }
}
