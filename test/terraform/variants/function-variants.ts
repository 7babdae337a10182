import { type Config, changing, type Makers, type Pair } from './variant.ts'

/** `SLOT_call` and `SLOT_call_2` are functions in both schemas. */
export function functionVariants(): Makers {
  const base = (slot: string): Config => ({ function: { name: `${slot}_call` }, exposed_as: 'query' })
  const field = (name: string) => ({
    [`custom_root_fields.${name}`]: (slot: string): Pair => [
      { ...base(slot), custom_root_fields: { [name]: `${slot}_a` } },
      { ...base(slot), custom_root_fields: { [name]: `${slot}_b` } },
    ],
  })
  return {
    // no name may be there twice, whatever source it comes from
    source: (slot) => [base(slot), { ...base(slot), source: 'second', custom_name: `${slot}_second` }],
    'function.schema': (slot) => [base(slot), { ...base(slot), function: { schema: 'other', name: `${slot}_call` } }],
    'function.name': (slot) => [base(slot), { ...base(slot), function: { name: `${slot}_call_2` } }],
    session_argument: changing(base, { session_argument: 'first' }, { session_argument: 'second' }),
    exposed_as: changing(base, {}, { exposed_as: 'mutation' }),
    custom_name: (slot) => [
      { ...base(slot), custom_name: `${slot}_a` },
      { ...base(slot), custom_name: `${slot}_b` },
    ],
    ...field('function'),
    ...field('function_aggregate'),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** The variants' functions are tracked in both sources. */
export function functionPermissionVariants(): Makers {
  const base = (slot: string): Config => ({ function: { name: slot }, role: 'reader' })
  return {
    source: changing(base, {}, { source: 'second' }),
    'function.schema': (slot) => [base(slot), { ...base(slot), function: { schema: 'other', name: slot } }],
    'function.name': (slot) => [base(slot), { ...base(slot), function: { name: `${slot}_2` } }],
    role: changing(base, {}, { role: 'writer' }),
  }
}
