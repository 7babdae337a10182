import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, Path } from '../errors.ts'
import { readClientMessage } from './client-message.ts'
import { frameOf, type ServerEvent } from './frames.ts'
import { type Phase, stepsFor, waitsItsTurn } from './next-step.ts'
import { offeredProtocol, protocolOf } from './protocol.ts'

const ready: Phase = { kind: 'ready' }
const refused: Phase = { kind: 'refused', reason: 'why' }
const nobody = () => false

function stepsOf(json: unknown, phase: Phase, isLive: (id: string) => boolean = nobody) {
  const read = readClientMessage(json)
  assert.ok(read.ok)
  return (['legacy', 'transport'] as const).map((protocol) => stepsFor(read.message, phase, protocol, isLive))
}
const kinds = (steps: readonly (readonly { readonly kind: string }[])[]) =>
  steps.map((each) => each.map(({ kind }) => kind))

test('an operation starts on a connection that is ready only, and by an id that is free', () => {
  const start = { type: 'subscribe', id: '1', payload: { query: '{ a }' } }
  assert.deepEqual(kinds(stepsOf(start, ready)), [['start'], ['start']])
  for (const [phase, isLive, text] of [
    [{ kind: 'waiting' }, nobody, 'start received before the connection is initialised'],
    [refused, nobody, 'cannot start as connection_init failed with: why'],
    [ready, (id: string) => id === '1', 'an operation already exists with this id: 1'],
  ] as const) {
    const [legacy, transport] = stepsOf(start, phase, isLive)
    assert.deepEqual(kinds([legacy ?? [], transport ?? []]), [
      ['send', 'send'],
      ['send', 'close'],
    ])
    const closed = transport?.[1]
    assert.ok(closed?.kind === 'close' && closed.closing.code === 4400 && closed.closing.reason.includes(text))
  }
})

test('a second connection_init closes the newer protocol with 4429, in the older it authenticates again', () => {
  const init = { type: 'connection_init' }
  const waiting: Phase = { kind: 'waiting' }
  assert.deepEqual(kinds(stepsOf(init, waiting)), [['authenticate'], ['authenticate']])
  for (const phase of [ready, refused]) {
    const [legacy, transport] = stepsOf(init, phase)
    assert.deepEqual(kinds([legacy ?? []]), [['authenticate']])
    const reason = '{"server_error_msg":"4429: Too many initialisation requests"}'
    assert.deepEqual(transport, [{ kind: 'close', closing: { code: 4429, reason } }])
  }
})

test('init and operations wait for their turn; stop, ping and terminate do not', () => {
  const turns = [
    'connection_init',
    'start',
    'subscribe',
    'stop',
    'complete',
    'ping',
    'pong',
    'connection_terminate',
  ].map((type) => {
    const read = readClientMessage({ type, id: '1', payload: {} })
    assert.ok(read.ok)
    return waitsItsTurn(read.message)
  })
  assert.deepEqual(turns, [true, true, true, false, false, false, false, false])
})

test('each event is a message of each protocol, and internals are never in it', () => {
  const error = new ApiError('not-found', Path.root.at('a'), 'gone', { internal: 'secret' })
  const shown = { message: 'gone', extensions: { path: '$.a', code: 'not-found' } }
  const cases: readonly (readonly [ServerEvent, unknown, unknown, unknown])[] = [
    [
      { kind: 'refused', id: '1', error },
      { errors: [shown] },
      { error: 'gone', path: '$.a', code: 'not-found' },
      [shown],
    ],
    [{ kind: 'failed', id: '1', error }, { data: null, errors: [shown] }, { data: null, errors: [shown] }, [shown]],
    [
      { kind: 'poll-failed', id: '1', error },
      { data: null, errors: [shown] },
      { data: null, errors: [shown] },
      { data: null, errors: [shown] },
    ],
    [
      { kind: 'refused-early', id: '1', error },
      { errors: [shown] },
      { error: 'gone', path: '$.a', code: 'not-found' },
      'gone',
    ],
  ]
  for (const [event, legacy, alpha, transport] of cases) {
    const frames = [
      frameOf(event, 'legacy', 'graphql'),
      frameOf(event, 'legacy', 'api'),
      frameOf(event, 'transport', 'graphql'),
    ]
    assert.deepEqual(
      frames.map((frame) => JSON.parse(frame ?? '').payload),
      [legacy, alpha, transport],
      event.kind,
    )
    assert.ok(frames.every((frame) => !frame?.includes('secret')))
  }
  assert.equal(frameOf({ kind: 'connection-error', message: 'x' }, 'transport', 'graphql'), null)
})

test('the first sub-protocol that is known is taken', () => {
  assert.equal(offeredProtocol(['x', 'graphql-transport-ws', 'graphql-ws']), 'graphql-transport-ws')
  assert.equal(offeredProtocol(['x']), null)
  assert.deepEqual(['graphql-ws', 'graphql-transport-ws', ''].map(protocolOf), ['legacy', 'transport', 'legacy'])
})
