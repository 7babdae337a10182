import { type Config, changing, type Makers, type Pair } from './variant.ts'

export function tableVariants(): Makers {
  const base = (slot: string): Config => ({ table: { name: slot } })
  const rootFields = [
    ...['select', 'select_by_pk', 'select_aggregate', 'select_stream', 'insert', 'insert_one'],
    ...['update', 'update_by_pk', 'update_many', 'delete', 'delete_by_pk'],
  ]
  const custom = (field: string, part: string) => ({
    [`custom_root_fields.${field}.${part}`]: (slot: string): Pair => [
      { ...base(slot), custom_root_fields: { [field]: { name: `${slot}_a`, [part]: `${slot}_a` } } },
      { ...base(slot), custom_root_fields: { [field]: { name: `${slot}_a`, [part]: `${slot}_b` } } },
    ],
  })
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': (slot) => [{ table: { name: slot } }, { table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [{ table: { name: slot } }, { table: { name: `${slot}_2` } }],
    is_enum: changing((slot) => ({ table: { name: `enum_${slot}` } }), {}, { is_enum: true }),
    custom_name: changing(base, { custom_name: 'first_name_a' }, { custom_name: 'first_name_b' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
    ...Object.assign({}, ...rootFields.flatMap((field) => [custom(field, 'name'), custom(field, 'comment')])),
    'column_config.*.custom_name': changing(
      base,
      { column_config: { note: { custom_name: 'a' } } },
      { column_config: { note: { custom_name: 'b' } } },
    ),
    'column_config.*.comment': changing(
      base,
      { column_config: { note: { comment: 'a' } } },
      { column_config: { note: { comment: 'b' }, id: { comment: 'c' } } },
    ),
    'apollo_federation_config.enable': changing(base, {}, { apollo_federation_config: { enable: 'v1' } }),
  }
}

/** `SLOT_label` is over a row of the variant's table in its own schema, `SLOT_alt` over that of `public` in both. */
export function computedFieldVariants(): Makers {
  const base = (slot: string): Config => ({
    table: { name: slot },
    name: 'label',
    function: { name: `${slot}_label` },
    table_argument: 'own',
  })
  const elsewhere = (slot: string): Pair => [
    base(slot),
    { ...base(slot), table: { schema: 'other', name: slot }, function: { schema: 'other', name: `${slot}_label` } },
  ]
  return {
    source: changing(base, {}, { source: 'second' }),
    'table.schema': elsewhere,
    'table.name': (slot) => [
      base(slot),
      { ...base(slot), table: { name: `${slot}_2` }, function: { name: `${slot}_2_label` } },
    ],
    name: changing(base, {}, { name: 'shown' }),
    'function.schema': (slot) => [
      { ...base(slot), function: { name: `${slot}_alt` } },
      { ...base(slot), function: { schema: 'other', name: `${slot}_alt` } },
    ],
    'function.name': (slot) => [base(slot), { ...base(slot), function: { name: `${slot}_alt` } }],
    table_argument: changing(base, {}, { table_argument: 'same' }),
    session_argument: changing(base, { session_argument: 'first' }, { session_argument: 'second' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}
