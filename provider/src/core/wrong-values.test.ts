/** Every attribute of every kind with wrong values of its type: refused before an engine is asked, at its place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AttributeType,
  isValues,
  kindNamed,
  type Path,
  recordNamed,
  type Value,
  type Values,
} from '../resources/index.ts'
import type { KindSample } from '../resources/kind-sample.fixture.ts'
import { otherSourceSamples } from '../resources/other-sources.fixture.ts'
import { samples } from '../resources/samples.fixture.ts'
import { providerDeclaration } from './declarations.ts'
import { validateInputs } from './validate-inputs.ts'

const wrong: Readonly<Record<AttributeType['kind'], readonly Value[]>> = {
  string: [5, 'a\0b', 'half \ud800'],
  boolean: ['yes', 1],
  integer: [-1, 1.5, 'one'],
  number: [-1, 'one'],
  json: ['{', '{"a": "\\u0000'],
  list: ['x', [[]]],
  set: ['x', [[]]],
  map: ['x', 1],
  // a key that is not there is the tool's to refuse
  object: ['x', 1],
}

/** Where no number is wrong, or another attribute says that it does not count. */
const takesAnyNumber = (attribute: string): boolean => attribute.endsWith('_wo_version')

function* places(type: AttributeType, value: Value | undefined, path: Path): Generator<readonly [Path, AttributeType]> {
  yield [path, type]
  if (type.kind === 'object' && isValues(value))
    for (const [name, attribute] of Object.entries(type.attributes))
      if (attribute.presence !== 'computed') yield* places(attribute.type, value[name], [...path, name])
  if ((type.kind === 'list' || type.kind === 'set') && Array.isArray(value))
    for (const [i, item] of (value as readonly Value[]).entries()) yield* places(type.of, item, [...path, i])
  if (type.kind === 'map' && isValues(value))
    for (const [key, item] of Object.entries(value)) yield* places(type.of, item, [...path, key])
}

function withAt(value: Value, [step, ...rest]: Path, put: Value): Value {
  if (step === undefined) return put
  if (Array.isArray(value))
    return (value as readonly Value[]).map((one, i) => (i === step ? withAt(one, rest, put) : one))
  const values: Values = isValues(value) ? value : {}
  return { ...values, [String(step)]: withAt(values[String(step)] ?? null, rest, put) }
}

type Sample = Pick<KindSample, 'kind' | 'base' | 'changes'>

const recordSamples: readonly Sample[] = [
  {
    kind: 'ScheduledEvent',
    base: {
      webhook: 'http://localhost/remind',
      schedule_at: '2030-01-01T09:00:00Z',
      headers: [{ name: 'x-a', value: 'b' }],
      retry_conf: { num_retries: 2, retry_interval_seconds: 5, timeout_seconds: 6, tolerance_seconds: 7 },
      request_transform: { method: 'PUT', add_headers: { 'x-b': 'c' }, remove_headers: ['x-c'] },
      response_transform: { body: { action: 'transform', template: '{{$body}}' } },
    },
    changes: {},
  },
  {
    kind: 'AccessToken',
    base: {
      name: 'ci',
      scopes: [{ allow: 'change', sources: ['default'], kinds: ['table'], roles: ['user'] }],
      value_wo: `svct_${'a'.repeat(40)}`,
      value_wo_version: 1,
    },
    changes: {},
  },
  {
    kind: 'OidcTrust',
    base: {
      name: 'ci',
      issuer: 'https://token.example',
      audiences: ['svc'],
      claims: { repository: ['acme/shop'] },
      scopes: [{ allow: 'read' }],
    },
    changes: {},
  },
]
const all: readonly Sample[] = [...samples('postgres://u:p@localhost/d'), ...otherSourceSamples, ...recordSamples]

test('every kind is tried', () => {
  const known = providerDeclaration.kinds.map(({ kind }) => kind)
  assert.deepEqual(
    known.filter((name) => !all.some(({ kind }) => kind === name)),
    [],
  )
})

/** Values of the right type that no SQL Server and no BigQuery is reached by, or used as. */
const unservable: readonly (readonly [string, string, Values])[] = [
  ...['shop', 'postgres://u:p@localhost/d', 'Database=shop;Uid=app'].map(
    (connection_string) => ['MssqlSource', 'connection_string', { connection_string }] as const,
  ),
  ...['', 'A B'].map(
    (name) =>
      [
        'MssqlSource',
        'connection_string_from_env',
        { connection_string: null, connection_string_from_env: name },
      ] as const,
  ),
  ['MssqlSource', 'read_replicas', { read_replicas: [{ connection_string: 'shop' }] }],
  ['MssqlSource', 'pool_settings', { pool_settings: { idle_timeout: 1.5 } }],
  ['MssqlSource', 'health_check', { health_check: { test: {}, interval: 0 } }],
  ['BigquerySource', 'project_id', { project_id: 'a b' }],
  ['BigquerySource', 'datasets', { datasets: ['music', 'a b'] }],
  ...['service_account', 'project_id', 'datasets', 'global_select_limit', 'retry_limit', 'retry_base_delay'].map(
    (name) => ['BigquerySource', `${name}_from_env`, { [name]: null, [`${name}_from_env`]: 'A B' }] as const,
  ),
]

for (const [name, attribute, patch] of unservable)
  test(`${name} with ${JSON.stringify(patch)} is refused at ${attribute}`, () => {
    const kind = kindNamed(name)
    const base = all.find((sample) => sample.kind === name)?.base
    assert.ok(kind && base)
    const found = validateInputs(kind, { ...base, ...patch }, 'text')
    assert.deepEqual(
      found.map(({ severity, path }) => [severity, path[0]]),
      [['error', attribute]],
    )
  })

for (const name of new Set(all.map(({ kind }) => kind)))
  test(`wrong values of each attribute of ${name} are refused at it`, () => {
    const kind = kindNamed(name) ?? recordNamed(name)
    assert.ok(kind)
    const passed = new Set<string>()
    let tried = 0
    for (const { base, changes } of all.filter((sample) => sample.kind === name))
      for (const values of [{ ...base }, ...Object.values(changes).map((patch): Values => ({ ...base, ...patch }))])
        for (const [attribute, { presence, type }] of Object.entries(kind.attributes)) {
          // of two ways to say the same only one is read
          const isLeftOut = values[attribute] === undefined || values[attribute] === null
          if (presence === 'computed' || (isLeftOut && values !== base && attribute in base)) continue
          const retries = values.retry_conf
          if (attribute === 'retry_conf' && isValues(retries) && retries.no_timeout === true) continue
          for (const [path, at] of places(type, values[attribute], [attribute]))
            for (const put of wrong[at.kind]) {
              if (typeof put === 'number' && put < 0 && takesAnyNumber(attribute)) continue
              tried++
              const found = validateInputs(kind, withAt(values, path, put) as Values, 'text')
              if (!found.some((one) => one.severity === 'error' && one.path[0] === attribute))
                passed.add(`${path.join('.')} = ${JSON.stringify(put)}`)
            }
        }
    assert.deepEqual([...passed], [])
    assert.ok(tried > 0)
  })
