import { type Config, changing, inObject, type Makers } from './variant.ts'
import { headerVariants, transformVariants } from './webhook-variants.ts'

export function cronTriggerVariants(): Makers {
  const base = (slot: string): Config => ({ name: slot, webhook: 'http://localhost:1/a', schedule: '0 5 1 1 *' })
  const retry = (attribute: string) => ({
    [`retry_conf.${attribute}`]: changing(base, { retry_conf: { [attribute]: 1 } }, { retry_conf: { [attribute]: 2 } }),
  })
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    webhook: changing(base, {}, { webhook: 'http://localhost:1/b' }),
    webhook_from_env: changing(
      base,
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_A' },
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_B' },
    ),
    schedule: changing(base, {}, { schedule: '0 6 1 1 *' }),
    payload: changing(base, { payload: '{"a":1}' }, { payload: '{"a":2}' }),
    ...headerVariants(base),
    ...retry('num_retries'),
    ...retry('retry_interval_seconds'),
    ...retry('timeout_seconds'),
    ...retry('tolerance_seconds'),
    ...transformVariants(base),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** At most 42 characters, with two to spare. */
export const nameOfTrigger = (slot: string): string =>
  slot.replace('eventtrigger_', 'on_').slice(0, 40).replace(/_$/, '')

export function eventTriggerVariants(): Makers {
  const base = (slot: string): Config => ({
    table: { name: slot },
    name: nameOfTrigger(slot),
    webhook: 'http://localhost:1/a',
    insert: { all_columns: true },
  })
  const captured = (operation: string): Makers => {
    const change = inObject(base, operation)
    return {
      ...change('all_columns', { all_columns: true }, { columns: ['note'] }),
      ...change('columns', { columns: ['note'] }, { columns: ['note', 'id'] }),
      ...change('payload', { all_columns: true }, { all_columns: true, payload: ['id'] }),
    }
  }
  const retry = inObject(base, 'retry_conf')
  const cleanup = inObject(base, 'cleanup_config', { schedule: '0 3 * * *', clear_older_than: 24 })
  return {
    // both sources are one database, and a change that moves a trigger of one table would wait for itself
    source: (slot) => [
      base(slot),
      { ...base(slot), source: 'second', table: { name: `${slot}_2` }, name: `${base(slot).name}_b` },
    ],
    'table.schema': (slot) => [base(slot), { ...base(slot), table: { schema: 'other', name: slot } }],
    'table.name': (slot) => [base(slot), { ...base(slot), table: { name: `${slot}_2` } }],
    name: (slot) => [base(slot), { ...base(slot), name: `${base(slot).name}_2` }],
    webhook: changing(base, {}, { webhook: 'http://localhost:1/b' }),
    webhook_from_env: changing(
      base,
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_A' },
      { webhook: null, webhook_from_env: 'SVC_TEST_URL_B' },
    ),
    ...captured('insert'),
    ...captured('update'),
    ...captured('delete'),
    enable_manual: changing(base, {}, { enable_manual: true }),
    ...headerVariants(base),
    ...retry('num_retries', { num_retries: 1 }, { num_retries: 2 }),
    ...retry('interval_sec', { interval_sec: 1 }, { interval_sec: 2 }),
    ...retry('timeout_sec', { timeout_sec: 1 }, { timeout_sec: 2 }),
    ...retry('no_timeout', { num_retries: 1 }, { num_retries: 1, no_timeout: true }),
    ...transformVariants(base),
    ...cleanup('schedule', {}, { schedule: '0 4 * * *' }),
    ...cleanup('clear_older_than', {}, { clear_older_than: 48 }),
    ...cleanup('batch_size', {}, { batch_size: 100 }),
    ...cleanup('timeout', {}, { timeout: 10 }),
    ...cleanup('clean_invocation_logs', {}, { clean_invocation_logs: true }),
    ...cleanup('paused', {}, { paused: true }),
    trigger_on_replication: changing(base, {}, { trigger_on_replication: true }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}
