import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Diagnostic } from '../../core/index.ts'
import type { Decoded, Encodable, Message } from '../../protobuf/index.ts'
import { unknown, type Values } from '../../resources/index.ts'
import * as messages from '../protocol/provider-messages.ts'
import { type ThingProvider, thingAttributes, thingProvider } from '../thing-provider.fixture.ts'
import { timeoutAttributes } from '../timeouts.ts'
import { providerTypes } from '../types.ts'
import { decodeValues, encodeValues } from '../values/dynamic-value.ts'
import * as answers from './answers.ts'
import { providerService } from './provider-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type AnyMessage = Message<any, any>

const attributes = { ...thingAttributes, ...timeoutAttributes }
const complaints: string[] = []

/** Over the bytes of both messages, as Terraform sees it. */
async function ask<Request extends AnyMessage, Response extends AnyMessage>(
  provider: ThingProvider,
  name: string,
  types: { readonly request: Request; readonly response: Response },
  request: Encodable<Request>,
): Promise<Decoded<Response>> {
  const context = { provider, types: providerTypes(provider.declaration) }
  const service = providerService(
    async () => ({ context, answers }),
    (doing, error) => complaints.push(`${doing}: ${error}`),
  )
  const method = service[name as keyof typeof service]
  assert.ok(method, name)
  const answer = await method.answer(method.decode(types.request.encode(request)))
  return types.response.decode(method.encode(answer)) as Decoded<Response>
}

const thing = (values: Values): Values => ({
  ...Object.fromEntries(Object.keys(attributes).map((name) => [name, null])),
  ...values,
})
const sent = (values: Values | null) => ({ msgpack: encodeValues(attributes, values) })
const got = (value: { readonly msgpack: Buffer } | undefined) => value && decodeValues(attributes, value.msgpack)

test('the schema says types, presence, secrets and nesting as Terraform reads them', async () => {
  const answer = await ask(thingProvider(), 'GetProviderSchema', messages.getProviderSchema, {})
  assert.deepEqual([...answer.resourceSchemas.keys()], ['svc_thing'])
  assert.deepEqual([...answer.dataSourceSchemas.keys()], ['svc_things'])
  const schema = answer.resourceSchemas.get('svc_thing')
  assert.equal(schema?.version, 2)
  const shown = ((schema?.block?.attributes ?? []) as readonly Shown[]).map(show)
  assert.deepEqual(shown, [
    'id computed "string"',
    'name required "string"',
    'level optional computed "number"',
    'secret optional sensitive "string"',
    'password optional sensitive writeOnly "string"',
    'filter optional "string"',
    'tags optional ["set","string"]',
    'numbers optional ["list","number"]',
    'inner optional single(a required "string", b optional "bool")',
    'inners optional list(a required "string", b optional "bool")',
    'by_name optional map(a required "string", b optional "bool")',
    'timeouts optional single(create optional "string", update optional "string", delete optional "string")',
  ])
  assert.deepEqual(answer.serverCapabilities, {
    planDestroy: true,
    getProviderSchemaOptional: true,
    moveResourceState: true,
  })
})

type Shown = messages.SchemaAttribute & { readonly name: string; readonly type: Buffer }
function show(attribute: Shown): string {
  const flags = (['required', 'optional', 'computed', 'sensitive', 'writeOnly'] as const).filter(
    (flag) => attribute[flag],
  )
  const { nestedType } = attribute
  const type = nestedType
    ? `${nestedType.nesting}(${((nestedType.attributes ?? []) as readonly Shown[]).map(show).join(', ')})`
    : attribute.type.toString()
  return [attribute.name, ...flags, type].join(' ')
}

test('the names of all types are reported without their schemas', async () => {
  const answer = await ask(thingProvider(), 'GetMetadata', messages.getMetadata, {})
  assert.deepEqual(answer.resources, [{ typeName: 'svc_thing' }])
  assert.deepEqual(answer.dataSources, [{ typeName: 'svc_things' }])
})

test('a plan hands over what was before, proposed and written, and sends back what was planned', async () => {
  const provider = thingProvider()
  const proposed = thing({ name: 'a', level: unknown, tags: ['x'], inner: { a: 'y', b: null } })
  const answer = await ask(provider, 'PlanResourceChange', messages.planResourceChange, {
    typeName: 'svc_thing',
    priorState: sent(thing({ name: 'b' })),
    proposedNewState: sent(proposed),
    config: sent(thing({ name: 'a', password: 'p' })),
    priorPrivate: Buffer.from(JSON.stringify({ made: { catalog: 'c', version: 3 } })),
  })
  assert.deepEqual(got(answer.plannedState), proposed)
  assert.deepEqual(JSON.parse(answer.plannedPrivate.toString()), { made: { catalog: 'c', version: 3 } })
  const [, request] = provider.asked.at(-1) ?? []
  const { kind, prior, config } = request as { kind: string; prior: Values; config: Values }
  assert.deepEqual([kind, prior.name, config.password, 'timeouts' in prior], ['Thing', 'b', 'p', false])
  assert.deepEqual(answer.requiresReplace, []) // what has another identity is moved
})

type Step = {
  attributeName?: string | undefined
  elementKeyString?: string | undefined
  elementKeyInt?: number | undefined
}
const stepText = ({ attributeName, elementKeyString, elementKeyInt }: Step) =>
  attributeName ?? (elementKeyString === undefined ? `#${elementKeyInt}` : `"${elementKeyString}"`)

test('a destruction is planned as nothing', async () => {
  const answer = await ask(thingProvider(), 'PlanResourceChange', messages.planResourceChange, {
    typeName: 'svc_thing',
    priorState: sent(thing({ name: 'b' })),
    proposedNewState: sent(null),
    config: sent(null),
  })
  assert.equal(got(answer.plannedState), null)
})

test('timeouts are kept in plan and state, and say how long an apply it may take', async () => {
  const provider = thingProvider()
  const timeouts = { create: '2s', update: '1m', delete: '1h30m' }
  const apply = async (prior: Values | null, planned: Values | null) => {
    const answer = await ask(provider, 'ApplyResourceChange', messages.applyResourceChange, {
      typeName: 'svc_thing',
      priorState: sent(prior),
      plannedState: sent(planned),
      config: sent(planned),
    })
    const [, request] = provider.asked.at(-1) ?? []
    const { timeoutMilliseconds } = request as { timeoutMilliseconds?: number }
    return [timeoutMilliseconds, got(answer.newState)?.timeouts]
  }
  const values = thing({ name: 'a', timeouts })
  assert.deepEqual(await apply(null, values), [2000, timeouts])
  assert.deepEqual(await apply(values, values), [60_000, timeouts])
  assert.deepEqual(await apply(values, null), [5_400_000, undefined])
  assert.deepEqual(await apply(null, thing({ name: 'a' })), [undefined, null])
})

test('a duration that is none is found when the configuration is checked', async () => {
  const answer = await ask(thingProvider(), 'ValidateResourceConfig', messages.validateResourceConfig, {
    typeName: 'svc_thing',
    config: sent(thing({ name: 'a', timeouts: { create: '5 minutes', update: '0s', delete: unknown } })),
  })
  assert.deepEqual(
    answer.diagnostics.map(({ summary }) => summary),
    ['timeouts.create: "5 minutes" is no duration', 'timeouts.update: "0s" is no duration'],
  )
})

test('a number that would be changed is reported with its place when the configuration is checked', async () => {
  const bytes = encodeValues(
    { ...attributes, numbers: { ...thingAttributes.filter, type: { kind: 'list', of: { kind: 'string' } } } as never },
    thing({ name: 'a', numbers: ['1', '12345678901234567890.5'] }),
  )
  const answer = await ask(thingProvider(), 'ValidateResourceConfig', messages.validateResourceConfig, {
    typeName: 'svc_thing',
    config: { msgpack: bytes },
  })
  assert.equal(answer.diagnostics.length, 1)
  assert.match(answer.diagnostics[0]?.summary ?? '', /12345678901234567890.5 has more digits/)
  assert.deepEqual(answer.diagnostics[0]?.attribute?.steps.map(stepText), ['numbers', '#1'])
})

test('a diagnostic ends where Terraform finds a line, and says the rest', async () => {
  const problem = (path: Diagnostic['path'], summary = 'wrong'): Diagnostic => ({
    severity: 'error',
    summary,
    detail: 'why',
    path,
  })
  const problems = [
    problem([]),
    problem(['name']),
    problem(['inner', 'a']),
    problem(['inners', 1]),
    problem(['inners', 1, 'a']),
    problem(['by_name', 'a b', 'b']),
    problem(['tags', 0]),
    problem(['filter', '_and', 0], 'filter._and[0]: wrong'),
    { ...problem(['name']), severity: 'warning' as const },
  ]
  const answer = await ask(thingProvider(problems), 'ValidateResourceConfig', messages.validateResourceConfig, {
    typeName: 'svc_thing',
    config: sent(thing({ name: 'a' })),
  })
  assert.deepEqual(
    answer.diagnostics.map(({ severity, summary, attribute }) =>
      [severity, summary, ...(attribute?.steps.map(stepText) ?? [])].join(' | '),
    ),
    [
      'error | wrong',
      'error | wrong | name',
      'error | inner.a: wrong | inner',
      'error | wrong | inners | #1',
      'error | inners[1].a: wrong | inners | #1',
      'error | by_name["a b"].b: wrong | by_name | "a b"',
      'error | tags[0]: wrong | tags',
      'error | filter._and[0]: wrong | filter',
      'warning | wrong | name',
    ],
  )
})

test('a state of today is sent back as it came, an older one is upgraded', async () => {
  const provider = thingProvider()
  const ofToday = await ask(provider, 'UpgradeResourceState', messages.upgradeResourceState, {
    typeName: 'svc_thing',
    version: 2,
    rawState: { json: Buffer.from('{"name":"a","level":12345678901234567890}') },
  })
  assert.equal(ofToday.upgradedState?.json.toString(), '{"name":"a","level":12345678901234567890}')
  assert.deepEqual(provider.asked, [])
  const older = await ask(provider, 'UpgradeResourceState', messages.upgradeResourceState, {
    typeName: 'svc_thing',
    version: 1,
    rawState: { json: Buffer.from('{"name":"a","timeouts":{"create":"1s"}}') },
  })
  assert.deepEqual(provider.asked.at(-1), ['upgrade', { kind: 'Thing', version: 1, values: { name: 'a' } }])
  assert.deepEqual(
    got(older.upgradedState),
    thing({ name: 'a', timeouts: { create: '1s', update: null, delete: null } }),
  )
})

test('a state moves from the same type of the provider under another address, and from nothing else', async () => {
  const move = (sourceProviderAddress: string, sourceTypeName: string, sourceSchemaVersion = 2) =>
    ask(thingProvider(), 'MoveResourceState', messages.moveResourceState, {
      sourceProviderAddress,
      sourceTypeName,
      sourceSchemaVersion,
      sourceState: { json: Buffer.from('{"name":"a"}') },
      targetTypeName: 'svc_thing',
    })
  assert.equal(got((await move('example.com/acme/svc', 'svc_thing')).targetState)?.name, 'a')
  for (const [address, type, version] of [
    ['example.com/acme/svc', 'svc_other', 2],
    ['example.com/acme/aws', 'svc_thing', 2],
    ['example.com/acme/svc', 'svc_thing', 3],
  ] as const) {
    const refused = await move(address, type, version)
    assert.equal(refused.targetState, undefined)
    assert.equal(refused.diagnostics[0]?.severity, 'error')
  }
})

test('an import gives a state with every attribute, or says what is wrong', async () => {
  const problem: Diagnostic = { severity: 'error', summary: 'no such id', detail: '', path: [] }
  const provider = thingProvider()
  const answer = await ask(provider, 'ImportResourceState', messages.importResourceState, {
    typeName: 'svc_thing',
    id: 'a',
  })
  assert.deepEqual(got(answer.importedResources[0]?.state), thing({ name: 'a' }))
  const bad = await ask(thingProvider([problem]), 'ImportResourceState', messages.importResourceState, {
    typeName: 'svc_thing',
    id: 'bad',
  })
  assert.deepEqual([bad.importedResources, bad.diagnostics[0]?.summary], [[], 'no such id'])
})

test('what is gone is read as null, what is there with its timeouts', async () => {
  const read = async (values: Values) =>
    got(
      (
        await ask(thingProvider(), 'ReadResource', messages.readResource, {
          typeName: 'svc_thing',
          currentState: sent(thing(values)),
        })
      ).newState,
    )
  assert.equal(await read({ name: 'gone' }), null)
  const timeouts = { create: '1s', update: null, delete: null }
  assert.deepEqual(await read({ name: 'a', timeouts }), thing({ name: 'a', timeouts }))
})

test('a failure of the provider is a diagnostic without a stack, and no object is forgotten', async () => {
  const prior = thing({ name: 'throw' })
  const request = { typeName: 'svc_thing', priorState: sent(prior), plannedState: sent(prior), config: sent(prior) }
  const applied = await ask(thingProvider(), 'ApplyResourceChange', messages.applyResourceChange, request)
  assert.deepEqual(got(applied.newState), prior)
  assert.equal(applied.diagnostics[0]?.summary, 'The provider failed while it applied a change')
  assert.match(applied.diagnostics[0]?.detail ?? '', /^out of order\n\n/)
  assert.match(complaints.at(-1) ?? '', /applied a change: Error: out of order/)
  const current = { typeName: 'svc_thing', currentState: sent(prior) }
  const read = await ask(thingProvider(), 'ReadResource', messages.readResource, current)
  assert.deepEqual(got(read.newState), prior)
  const unknownType = await ask(thingProvider(), 'ReadResource', messages.readResource, {
    ...current,
    typeName: 'svc_no',
  })
  assert.match(unknownType.diagnostics[0]?.detail ?? '', /there is no resource type svc_no/)
})

test('configuration, data sources and stopping reach the provider', async () => {
  const provider = thingProvider()
  const config = { msgpack: encodeValues(provider.declaration.config, { endpoint: unknown }) }
  await ask(provider, 'ValidateProviderConfig', messages.validateProviderConfig, { config })
  await ask(provider, 'ConfigureProvider', messages.configureProvider, { config })
  const data = { typeName: 'svc_things', config: { msgpack: Buffer.from('81a5636f756e74c0', 'hex') } }
  await ask(provider, 'ValidateDataResourceConfig', messages.validateDataResourceConfig, data)
  const read = await ask(provider, 'ReadDataSource', messages.readDataSource, data)
  assert.equal(read.state?.msgpack.toString('hex'), '81a5636f756e7403')
  await ask(provider, 'StopProvider', messages.stopProvider, {})
  assert.deepEqual(
    provider.asked.map(([call]) => call),
    ['validateConfig', 'configure', 'validateData', 'readData', 'stop'],
  )
  assert.deepEqual(provider.asked[1]?.[1], { endpoint: unknown })
})
