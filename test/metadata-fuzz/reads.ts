/** Operations that change no metadata, and what they have to answer. */
import assert from 'node:assert/strict'
import type { Random } from '../admin/random.ts'
import type { Answer } from '../engine.ts'
import { asItem, type Document, type Item, items } from './plain-document.ts'

export interface Read {
  readonly body: { readonly type: string; readonly args: unknown; readonly version?: number }
  check(answer: Answer): void
}

interface States {
  cli: unknown
  console: unknown
}

/** 200, or a refusal with one of these codes. */
const answered =
  (...codes: readonly string[]) =>
  ({ status, body, text }: Answer): void =>
    assert.ok(status === 200 || codes.includes(body?.code), text)

const uuid = '0b0f6b0e-7d3c-4f63-9a49-5b8a8d3f9d11'

export function randomRead(random: Random, document: Document, states: States): Read {
  const sources = items(structuredClone(document), 'sources')
  const source = random.chance(0.9) && sources.length > 0 ? random.pick(sources) : ({ name: 'nowhere' } as Item)
  const lists = (key: string) => (answer: Answer) =>
    source.name === 'nowhere' ? answered('not-exists')(answer) : assert.deepEqual(answer.body, source[key] ?? [])
  const triggers = sources.flatMap((one) =>
    items(one, 'tables').flatMap((table) =>
      items(table, 'event_triggers').map(({ name }) => ({ source: one.name, name })),
    ),
  )
  const trigger =
    triggers.length > 0 && random.chance(0.9) ? random.pick(triggers) : { name: 'none', source: 'default' }
  const ofTrigger = answered('not-exists', 'unexpected', 'not-supported')
  const state = { n: random.below(1000) }
  const type = random.pick(['cli', 'console'] as const)
  return random.pick<() => Read>([
    () => ({ body: { type: 'pg_get_native_query', args: { source: source.name } }, check: lists('native_queries') }),
    () => ({ body: { type: 'pg_get_logical_model', args: { source: source.name } }, check: lists('logical_models') }),
    () => ({
      body: { type: 'pg_get_source_tables', args: { source: source.name } },
      check: answered('not-exists', 'unexpected'),
    }),
    () => ({
      body: { type: 'pg_get_table_info', args: { source: source.name, table: 'album' } },
      check: answered('not-exists', 'unexpected'),
    }),
    () => ({
      body: { type: 'pg_suggest_relationships', args: { source: source.name } },
      check: answered('not-exists', 'unexpected'),
    }),
    () => ({ body: { type: 'dump_internal_state', args: {} }, check: answered() }),
    () => ({ body: { type: 'list_source_kinds', args: {} }, check: answered() }),
    () => ({ body: { type: 'get_inconsistent_metadata', args: {}, version: 2 }, check: answered() }),
    () => ({
      body: { type: 'get_cron_triggers', args: {} },
      check: ({ body }) => {
        const names = items(structuredClone(document), 'cron_triggers').map(({ name }) => name)
        assert.deepEqual(
          (body.cron_triggers as Item[]).map(({ name }) => name),
          names,
        )
      },
    }),
    () => ({
      body: { type: 'get_catalog_state', args: {} },
      check: ({ body }) => assert.deepEqual([body.cli_state, body.console_state], [states.cli, states.console]),
    }),
    () => {
      const right = random.chance(0.6)
      const expected = right ? states[type] : { n: -1 }
      return {
        body: { type: 'set_catalog_state', args: { type, state, ...(random.chance(0.5) && { expected }) } },
        check({ status, body }) {
          if (status === 200) states[type] = state
          else assert.ok(!right && body.code === 'conflict', JSON.stringify(body))
        },
      }
    },
    () => ({
      body: { type: 'get_scheduled_events', args: { type: 'cron', trigger_name: 'nightly', limit: 3 } },
      check: answered('not-exists'),
    }),
    () => ({
      body: { type: 'get_scheduled_event_invocations', args: { type: 'one_off', limit: 3 } },
      check: answered(),
    }),
    () => ({
      body: {
        type: 'create_scheduled_event',
        args: { webhook: 'http://127.0.0.1:1/', schedule_at: '2040-01-01T00:00:00Z' },
      },
      check: answered(),
    }),
    () => ({ body: { type: 'delete_scheduled_event', args: { type: 'one_off', event_id: uuid } }, check: answered() }),
    () => ({ body: { type: 'pg_get_event_logs', args: trigger }, check: ofTrigger }),
    () => ({ body: { type: 'pg_get_event_invocation_logs', args: trigger }, check: ofTrigger }),
    () => ({ body: { type: 'pg_invoke_event_trigger', args: { ...trigger, payload: {} } }, check: ofTrigger }),
    () => ({ body: { type: 'pg_redeliver_event', args: { event_id: uuid } }, check: ofTrigger }),
    () => ({ body: { type: 'pg_get_event_by_id', args: { event_id: uuid } }, check: ofTrigger }),
    () => ({
      body: { type: 'introspect_remote_schema', args: { name: random.pick(['reviews', 'nothing']) } },
      check: ({ status, text }) =>
        assert.equal(
          status === 200,
          items(structuredClone(document), 'remote_schemas').some(({ name }) => name === 'reviews') && status === 200,
          text,
        ),
    }),
    () => ({
      body: {
        type: 'test_webhook_transform',
        args: {
          webhook_url: 'http://x/',
          body: { a: 1 },
          request_transform: { version: 2, body: { action: 'transform', template: '{{$body.a}}' } },
        },
      },
      check: ({ body }) => assert.equal(asItem(body).body, 1),
    }),
  ])()
}
