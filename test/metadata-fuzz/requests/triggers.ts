import type { Item } from '../plain-document.ts'
import { type Choices, type Chosen, type Generator, placed } from './choose.ts'

const eventNames = ['on_artist', 'on_album', 'on_any', 'on_more'] as const

const listened = (choose: Choices, of: Chosen): Item => ({
  columns: choose.chance(0.5) ? '*' : [choose.column(of)],
  ...choose.maybe(0.3, () => ({ payload: choose.chance(0.5) ? '*' : [choose.column(of)] })),
})

function cleanup(choose: Choices): Item {
  return { schedule: '0 0 * * *', clear_older_than: 168, ...choose.maybe(0.3, () => ({ paused: true })) }
}

function there(choose: Choices): readonly { readonly of: Chosen; readonly name: string }[] {
  return choose.tracked().flatMap(({ chosen: of }) => choose.names(of, 'event_triggers').map((name) => ({ of, name })))
}

const anyTrigger = (choose: Choices) =>
  choose.known(there(choose), [{ of: choose.table(), name: choose.pick(eventNames) }], 0.85)

const cronNames = ['nightly', 'hourly', 'hidden'] as const

export const triggerGenerators: readonly Generator[] = [
  [
    6,
    (choose) => {
      const old = there(choose)
      const replaces = choose.chance(old.length > 0 ? 0.4 : 0.05)
      const { of, name } = replaces ? anyTrigger(choose) : { of: choose.table(0.95), name: choose.pick(eventNames) }
      const { source, ...at } = placed(choose, replaces && choose.chance(0.1) ? choose.table() : of)
      return {
        type: 'create_event_trigger',
        args: {
          name,
          ...at,
          ...(source !== undefined && { source }),
          ...choose.maybe(0.7, () => ({ insert: listened(choose, of) })),
          ...choose.maybe(0.5, () => ({ update: listened(choose, of) })),
          ...choose.maybe(0.2, () => ({ delete: { columns: '*' } })),
          enable_manual: true,
          webhook: choose.pick(['http://127.0.0.1:1/hook', '{{HOOKS}}/album']),
          ...choose.maybe(0.3, () => ({
            retry_conf: { num_retries: 3, ...choose.maybe(0.5, () => ({ timeout_sec: null })) },
          })),
          ...choose.maybe(0.2, () => ({ headers: choose.pick([[], [{ name: 'x-from', value: 'svc' }]]) })),
          ...choose.maybe(0.3, () => ({ cleanup_config: cleanup(choose) })),
          ...choose.maybe(0.2, () => ({ request_transform: { body: '{{$body.event}}' } })),
          ...(replaces && { replace: true }),
        },
      }
    },
  ],
  [
    2,
    (choose) => {
      const { of, name } = anyTrigger(choose)
      return { type: 'delete_event_trigger', args: { name, ...(of.source !== 'default' && { source: of.source }) } }
    },
  ],
  [
    1,
    (choose) => {
      const { of, name } = anyTrigger(choose)
      const chosen = choose.pick<unknown>([
        { sources: '*' },
        { sources: [of.source] },
        [{ source_name: of.source, event_triggers: [name] }],
      ])
      return { type: `${choose.pick(['pause', 'resume'])}_event_trigger_cleanups`, args: { event_triggers: chosen } }
    },
  ],
  [
    4,
    (choose) => {
      const old = choose.named('cron_triggers')
      const replaces = choose.chance(old.length > 0 ? 0.4 : 0.05)
      const name = replaces ? choose.known(old, cronNames) : choose.pick(cronNames)
      return {
        type: 'create_cron_trigger',
        args: {
          name,
          webhook: choose.pick<unknown>(['http://127.0.0.1:1/cron', '{{HOOKS}}/cron', { from_env: 'HOOKS' }]),
          schedule: choose.pick(['0 6 * * 1', '*/5 * * * *', '0 0 1 1 *']),
          include_in_metadata: name !== 'hidden',
          ...choose.maybe(0.4, () => ({ payload: choose.pick<unknown>([1, { a: [null] }, 'x', false]) })),
          ...choose.maybe(0.3, () => ({ retry_conf: choose.pick([{}, { num_retries: 2 }]) })),
          ...choose.maybe(0.2, () => ({ headers: [{ name: 'x', value_from_env: 'HOOKS' }] })),
          ...choose.maybe(0.2, () => ({ comment: 'every day' })),
          ...(replaces && { replace: true }),
        },
      }
    },
  ],
  [
    1,
    (choose) => ({
      type: 'delete_cron_trigger',
      args: { name: choose.known(choose.named('cron_triggers'), cronNames, 0.85) },
    }),
  ],
]
