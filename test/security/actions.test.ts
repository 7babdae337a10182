/** Attacks through actions: clients whose input makes templates walk on and on, and handlers that answer what nothing can read. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { type Handlers, startHandlers } from '../serving/action-handlers.ts'
import { openSocket } from '../websocket-client.ts'

const custom_types = {
  scalars: [{ name: 'Anything' }],
  objects: [
    {
      name: 'Found',
      fields: [
        { name: 'id', type: 'Int' },
        { name: 'next', type: 'Found' },
        { name: 'others', type: '[Found]' },
        { name: 'more', type: 'Anything' },
      ],
    },
  ],
}

const deep = (levels: number, open: string, close: string) => `${open.repeat(levels)}null${close.repeat(levels)}`

describe('attacks through actions', () => {
  let engine: Engine
  let handlers: Handlers
  before(async () => {
    handlers = await startHandlers()
    engine = await startEngine()
    const metadata = async (type: string, args: unknown) => {
      const { status, text } = await engine.metadata(type, args)
      assert.equal(status, 200, text)
    }
    await metadata('set_custom_types', custom_types)
    const handler = `${handlers.url}/find`
    const list = [{ name: 'input', type: 'Anything' }]
    const query = { type: 'query', handler, output_type: 'Found', arguments: list }
    await metadata('create_action', { name: 'find', definition: query })
    await metadata('create_action', { name: 'find_any', definition: { ...query, output_type: 'Anything' } })
    await metadata('create_action', { name: 'find_all', definition: { ...query, output_type: '[Found]' } })
    const later = { type: 'mutation', kind: 'asynchronous', handler, output_type: 'Found', arguments: list }
    await metadata('create_action', { name: 'find_later', definition: later })
    const nested =
      '{{ range i, x := $body.input.input }} {{ range j, y := $body.input.input }} {{ x }} {{ end }} {{ end }}'
    const transformed = { ...query, output_type: 'Anything' }
    const compared = '{{ range i, x := $body.input.input }} {{ [$body.input.input] == [$body.input.input] }} {{ end }}'
    for (const [name, template] of Object.entries({ nested, compared }))
      await metadata('create_action', {
        name,
        definition: { ...transformed, request_transform: { version: 2, body: { action: 'transform', template } } },
      })
    const echo = { version: 2, body: { action: 'transform', template: '{{ $body }}' } }
    await metadata('create_action', { name: 'echo', definition: { ...transformed, response_transform: echo } })
  })
  after(async () => {
    await engine.stop()
    await handlers.close()
  })

  const ask = (query: string, variables: object = {}) => engine.post('/v1/graphql', { query, variables })
  const input = Array.from({ length: 3000 }, (_, i) => i)

  for (const name of ['nested', 'compared'])
    test(`a template that walks on and on over what a client sends (${name}) yields to other requests`, async () => {
      const text = `query ($input: Anything) { ${name}(input: $input) }`
      let isOver = false
      const asked = ask(text, { input }).then((answer) => {
        isOver = true
        return answer
      })
      let answered = 0
      while (!isOver) {
        const { body } = await ask('{ __typename }')
        assert.deepEqual(body, { data: { __typename: 'query_root' } })
        answered += 1
      }
      const { errors } = (await asked).body
      assert.equal(errors[0].message, 'Request Transformation Failed')
      assert.match(JSON.stringify(errors[0].extensions.internal), /the template takes more than 1000000 steps/)
      // without stretches it is one or two
      assert.ok(answered > 10, `${answered} were answered meanwhile`)
    })

  test('an answer of a handler nested to any depth is an answer that cannot be read', async () => {
    const fields = ['find { id more }', 'find_any', 'find_all { id more }']
    const answers = {
      lists: deep(20_000, '[', ']'),
      objects: deep(20_000, '{"next":', '}'),
      inside: `{"id":1,"more":${deep(20_000, '[', ']')}}`,
      'inside a list': `[{"id":1,"more":${deep(20_000, '[', ']')}}]`,
      'with long numbers': `{"id":1,"more":[${deep(20_000, '[', ']')}, 12345678901234567890]}`,
      'of an error': `{"message":"no","extensions":${deep(20_000, '[', ']')}}`,
    }
    for (const [kind, text] of Object.entries(answers))
      for (const field of fields)
        for (const status of [200, 400]) {
          handlers.on('/find', () => ({ status, text }))
          const { body } = await ask(`{ ${field} }`)
          const [error] = body.errors ?? []
          const message = error?.message ?? `no error: ${kind} of ${field}`
          assert.equal(message, 'not a valid json response from webhook', kind)
        }
    // a transform of the response sees none, and is what answers
    handlers.on('/find', () => ({ text: answers.lists }))
    assert.deepEqual((await ask('{ echo }')).body, { data: { echo: null } })
    assert.equal(
      engine.log.find((line) => line.includes('unhandled-internal-error')),
      undefined,
    )
  })

  test('an asynchronous action says so too', async () => {
    handlers.on('/find', () => ({ text: `{"id":1,"more":${deep(20_000, '[', ']')}}` }))
    const { body } = await ask('mutation { find_later }')
    const init = { 'x-svc-admin-secret': engine.secret }
    const socket = await openSocket(engine, { protocol: 'graphql-ws', init })
    const query = `subscription { find_later(id: "${body.data.find_later}") { errors output { id } } }`
    socket.send({ type: 'start', id: '1', payload: { query } })
    for (;;) {
      const { payload } = await socket.next()
      const { errors } = payload.data.find_later
      if (errors === null) continue
      assert.match(JSON.stringify(errors), /not a valid json response from webhook/)
      break
    }
    socket.close()
  })

  test('input nested to any depth is answered', async () => {
    handlers.on('/find', () => ({ json: { id: 1 } }))
    for (const levels of [100, 1000, 5000, 50_000])
      for (const text of [
        'query ($input: Anything) { find(input: $input) { id } }',
        'query ($input: Anything) { echo(input: $input) }',
      ]) {
        const sent = `{"query":${JSON.stringify(text)},"variables":{"input":${deep(levels, '[', ']')}}}`
        const { body, text: answer } = await engine.send('POST', '/v1/graphql', sent)
        assert.ok(body.data || body.errors?.[0].message !== 'internal error', `${levels}: ${answer.slice(0, 200)}`)
      }
  })
})
