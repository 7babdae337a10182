import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPgBouncerInstalled, startPgBouncer } from '../../../../../test/pgbouncer.ts'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { unless } from '../../../../../test/requirement.ts'
import type { Observation } from '../../../observe/index.ts'
import type { CompiledQuery } from '../../backend.ts'
import { PostgresSource } from './postgres-source.ts'
import { settingsFor } from './settings.fixture.ts'

const plan = (text: string): CompiledQuery => ({
  text,
  slots: [
    {
      kind: 'constant',
      text: null,
      type: { type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: false }, list: false },
    },
  ],
  once: false,
  inlined: () => text,
})

const skip = unless('pgbouncer', isPgBouncerInstalled, 'needs the package pgbouncer')

test('through PgBouncer in transaction mode every query is answered rightly', { skip }, async (t) => {
  const pooler = await startPgBouncer((await createTestDatabase(t)).url, 3, t)
  const plans = Array.from({ length: 5 }, (_, i) => plan(`SELECT '${i} ' || ($1)::text`))
  for (const usePreparedStatements of [true, false]) {
    const told: Observation[] = []
    const source = new PostgresSource(settingsFor(pooler, { usePreparedStatements }), (o) => told.push(o))
    for (let round = 0; round < 8; round++) {
      const asked = Array.from({ length: 50 }, (_, i) => i)
      const answers = await Promise.all(
        asked.map((i) => source.query(plans[i % plans.length] ?? plan('SELECT $1'), [`${round} ${i}`])),
      )
      assert.deepEqual(
        answers.map(String),
        asked.map((i) => `${i % plans.length} ${round} ${i}`),
      )
    }
    // with statements prepared their loss is noticed, and told once at most
    const off = { kind: 'prepared-statements-off', source: 'default' }
    assert.deepEqual(told, usePreparedStatements ? told.slice(0, 1).map(() => off) : [])
    await source.close()
  }
})
