import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf, providerConfig } from '../resources/index.ts'
import { readDefaults, readSettings, variableOf } from './settings.ts'

const attributes = attributesOf(providerConfig)
const nothing = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]))
const tool = { name: 'test', version: '0' }
const samples: Readonly<Record<string, string>> = {
  SVC_GRAPHQL_ENDPOINT: 'http://engine',
  SVC_GRAPHQL_ADMIN_SECRET: 'a secret',
  SVC_GRAPHQL_TOKEN: 'a token',
  SVC_GRAPHQL_OIDC_TOKEN_FILE: 'a token file',
  SVC_GRAPHQL_OIDC_AUDIENCE: 'an audience',
  SVC_GRAPHQL_CERTIFICATE_AUTHORITY: 'a file',
  SVC_GRAPHQL_INSECURE_SKIP_TLS_VERIFY: 'yes',
  SVC_GRAPHQL_CATALOG_ID: 'a catalogue',
  SVC_GRAPHQL_OWNER: 'a stack',
  SVC_GRAPHQL_PREVIEW_CHECKS: 'warn',
  SVC_GRAPHQL_PLAN_ID: 'a plan',
  SVC_GRAPHQL_DRAFT: 'a draft',
  SVC_GRAPHQL_ADOPT_EXISTING: 'true',
  SVC_GRAPHQL_INTROSPECT_REMOTE_SCHEMAS: '1',
  SVC_GRAPHQL_DEFAULT_SOURCE: 'ledger',
  SVC_GRAPHQL_DEFAULT_ROLE: 'reader',
  SVC_GRAPHQL_REQUEST_TIMEOUT: '2.5',
}

test('every setting can be given by the environment, and its description says so', () => {
  assert.deepEqual(Object.keys(samples).sort(), Object.keys(attributes).map(variableOf).sort())
  for (const [name, { description }] of Object.entries(attributes))
    assert.ok(description.includes(`\`${variableOf(name)}\``), name)
  assert.deepEqual(readDefaults(attributes, nothing, samples), { default_source: 'ledger', default_role: 'reader' })
  const read = readSettings(attributes, nothing, samples, tool)
  assert.ok(read.kind === 'settings')
  const { connection, previewChecks, adoptExisting, catalogId, planId, draft } = read.settings
  const { endpoint, adminSecret, token, certificateAuthority, insecure, timeoutMilliseconds, owner } = connection
  assert.deepEqual(
    [
      endpoint,
      adminSecret,
      token,
      certificateAuthority,
      insecure,
      timeoutMilliseconds,
      previewChecks,
      adoptExisting,
      catalogId,
      owner,
      planId,
      draft,
    ],
    [
      'http://engine',
      'a secret',
      { kind: 'value', value: 'a token' },
      'a file',
      true,
      2500,
      'warn',
      true,
      'a catalogue',
      'a stack',
      'a plan',
      'a draft',
    ],
  )
})

test('a secret in the configuration counts before a token of the environment, which counts before a secret there', () => {
  const of = (given: object) => {
    const read = readSettings(attributes, { ...nothing, ...given }, samples, tool)
    assert.ok(read.kind === 'settings')
    return read.settings.connection.token
  }
  assert.equal(of({ admin_secret: 'given' }), undefined)
  assert.deepEqual(of({ admin_secret: 'given', token: 'mine' }), { kind: 'value', value: 'mine' })
  const environment = { SVC_GRAPHQL_ENDPOINT: 'http://engine', SVC_GRAPHQL_OIDC_AUDIENCE: 'svc' }
  assert.equal(readSettings(attributes, nothing, environment, tool).kind, 'invalid')
})

test('the owner has what a tool knows of its run, and is refused where the tool does not know it', () => {
  const ownerOf = (owner: string, names?: Readonly<Record<string, string>>) => {
    const read = readSettings(attributes, { ...nothing, owner }, samples, {
      ...tool,
      ...(names && { names: () => names }),
    })
    return read.kind === 'settings' ? read.settings.connection.owner : read
  }
  const names = { project: 'shop', stack: 'prod' }
  assert.equal(ownerOf('pulumi {project}/{stack}', names), 'pulumi shop/prod')
  assert.equal(ownerOf('shop', names), 'shop')
  assert.equal(ownerOf('{project}'), '{project}')
  for (const [owner, known] of [
    ['{project}', {}],
    ['{toString}', names],
  ] as const)
    assert.match(JSON.stringify(ownerOf(owner, known)), /owner: knows no \{\w+\} of this run/)
})

for (const said of ['0', 'False', 'no'])
  test(`the environment switches off what is on by default: ${said}`, () => {
    const environment = { ...samples, SVC_GRAPHQL_ADOPT_EXISTING: said, SVC_GRAPHQL_INTROSPECT_REMOTE_SCHEMAS: said }
    const read = readSettings(attributes, nothing, environment, tool)
    assert.ok(read.kind === 'settings')
    assert.equal(read.settings.adoptExisting, false)
  })

test('what is written in the configuration counts, and what is not set is the default', () => {
  const given = { ...nothing, endpoint: 'http://other', adopt_existing: false }
  const read = readSettings(attributes, given, samples, tool)
  assert.ok(read.kind === 'settings')
  assert.deepEqual([read.settings.connection.endpoint, read.settings.adoptExisting], ['http://other', false])
  const plain = readSettings(attributes, { ...nothing, endpoint: 'http://other' }, {}, tool)
  assert.ok(plain.kind === 'settings')
  assert.deepEqual([plain.settings.previewChecks, plain.settings.connection.timeoutMilliseconds], ['error', 120_000])
})

for (const [name, value, message] of [
  ['SVC_GRAPHQL_PREVIEW_CHECKS', 'maybe', 'must be one of error, strict, lenient, warn, off'],
  ['SVC_GRAPHQL_ADOPT_EXISTING', 'perhaps', 'must be true or false'],
  ['SVC_GRAPHQL_REQUEST_TIMEOUT', 'soon', 'must be a number above 0'],
] as const)
  test(`${name}=${value} is an error`, () => {
    const read = readSettings(attributes, nothing, { ...samples, [name]: value }, tool)
    assert.ok(read.kind === 'invalid')
    assert.match(read.diagnostics[0]?.summary ?? '', new RegExp(`${name} ${message}`))
  })
