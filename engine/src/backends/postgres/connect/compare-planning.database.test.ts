import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { clientConfig } from './client-config.ts'
import { comparePlanning } from './compare-planning.ts'
import { endClient, openClient } from './open-client.ts'
import { PlanningChoice } from './planning-choice.ts'
import { PreparedNames } from './prepared-names.ts'
import { settingsFor } from './settings.fixture.ts'

test('a comparison of plans ends by itself however long the statement takes, and leaves the connection as it was', async (t) => {
  const settings = settingsFor((await createTestDatabase(t)).url)
  const { client } = await openClient(settings, clientConfig(settings))
  t.after(() => endClient(client))
  const connection = {
    client,
    names: new PreparedNames(),
    expires: Number.POSITIVE_INFINITY,
    idleSince: 0,
    hasShortWaits: false,
    over: false,
  }
  const asleep = { text: 'SELECT pg_sleep(($1)::float)::text', name: 'asleep', parameters: ['60'] }
  const choice = new PlanningChoice(true, true)
  for (let i = 0; i < 6; i++) choice.took('prepared', 1)
  assert.equal(choice.suspicious, true)
  await comparePlanning(connection, asleep, choice)
  assert.equal(choice.suspicious, false)
  assert.equal(choice.next(), 'prepared')
  assert.equal(client.values.inTransaction, false)
  const shown = { text: `SELECT current_setting('statement_timeout')`, name: null, parameters: [] }
  assert.equal(String(await client.values.ask(shown, connection.names)), '0')
})
