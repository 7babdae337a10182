/** Passwords in addresses that no attribute calls sensitive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindNamed, type Values } from '../resources/index.ts'
import { shownPasswords } from './shown-passwords.ts'

const found = (name: string, planned: Values, prior: Values | null = null) =>
  shownPasswords(kindNamed(name)?.attributes ?? {}, prior, planned, '').map(({ summary }) => summary.split(':')[0])

for (const [webhook, holds] of [
  ['http://hooks.example/report', false],
  ['http://robot@hooks.example/report', false],
  ['http://robot:{{HOOKS_PASSWORD}}@hooks.example/report', false],
  ['{{HOOKS_URL}}/report', false],
  ['http://hooks.example/?at=10:30@noon', false],
  ['http://robot:s3cret@hooks.example/report', true],
  ['http://:s3cret@hooks.example/report', true],
  ['http://robot:{{HOOKS_PASSWORD}}x@hooks.example/report', true],
  ['http://hooks.example/?password=s3cret', true],
  ['http://hooks.example/?password={{HOOKS_PASSWORD}}', false],
] as const)
  test(`${webhook} is${holds ? '' : ' not'} warned of`, () => {
    assert.deepEqual(found('CronTrigger', { webhook }), holds ? ['webhook'] : [])
    assert.deepEqual(found('CronTrigger', { webhook, schedule: '1 1 1 1 1' }, { webhook }), [], 'of what stays')
  })

test('it is found wherever it stands, and not where an attribute calls it sensitive', () => {
  const address = 'http://robot:s3cret@hooks.example'
  assert.deepEqual(found('Action', { handler: address }), ['handler'])
  assert.deepEqual(found('RemoteSchema', { url: address }), ['url'])
  assert.deepEqual(found('Source', { database_url: address }), [])
  const exporter_otlp = { otlp_traces_endpoint: address, headers: [{ name: 'authorization', value: address }] }
  assert.deepEqual(found('OpenTelemetry', { exporter_otlp }), ['exporter_otlp.otlp_traces_endpoint'])
})
