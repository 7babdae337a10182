/** Event triggers and cron triggers. */
import { asItem, findSource, type Item, isItem, items, named, present, remove, sameName } from '../plain-document.ts'
import { Refusal, type Rule, type Rules } from '../rule.ts'
import { needSource, needTable } from './tables.ts'

/** The trigger of a source, with the table it is on. */
function findTrigger(source: Item, name: unknown): { readonly table: Item; readonly trigger: Item } | null {
  for (const table of items(source, 'tables')) {
    const trigger = named(items(table, 'event_triggers'), 'name', name)
    if (trigger) return { table, trigger }
  }
  return null
}

export const transformOf = (given: unknown): unknown =>
  isItem(given) ? { version: 1, template_engine: 'Kriti', ...given } : undefined

const cleanupOf = (given: unknown): unknown =>
  isItem(given) ? { batch_size: 10000, timeout: 60, clean_invocation_logs: false, paused: false, ...given } : undefined

const setPaused =
  (paused: boolean): Rule =>
  (document, args) => {
    const { event_triggers: chosen } = args
    const pause = (trigger: Item) => {
      if (isItem(trigger.cleanup_config)) trigger.cleanup_config = { ...trigger.cleanup_config, paused }
    }
    if (Array.isArray(chosen)) {
      for (const { source_name, event_triggers } of chosen as Item[]) {
        const source = findSource(document, source_name)
        for (const name of (event_triggers ?? []) as unknown[]) {
          const found = source && findTrigger(source, name)
          if (!found || !isItem(found.trigger.cleanup_config)) throw new Refusal('not-exists')
          pause(found.trigger)
        }
        if (!source) throw new Refusal('not-exists')
      }
      return
    }
    const { sources } = asItem(chosen)
    const names = sources === '*' ? items(document, 'sources').map(({ name }) => name) : (sources as unknown[])
    for (const name of names) {
      const source = findSource(document, name)
      if (!source) throw new Refusal('not-exists')
      for (const table of items(source, 'tables')) for (const one of items(table, 'event_triggers')) pause(one)
    }
  }

export const eventTriggerRules: Rules = {
  create_event_trigger(document, args, { may }) {
    const table = needTable(document, args)
    const source = needSource(document, args)
    const known = findTrigger(source, args.name)
    const replaces = args.replace === true
    if (!replaces && known) throw new Refusal('already-exists')
    if (known && !sameName(known.table.table, args.table)) throw new Refusal('not-supported')
    may('not-exists')
    const list = items(table, 'event_triggers')
    remove(list, known?.trigger)
    const { name, insert, update, delete: deleted, webhook, webhook_from_env, headers, comment } = args
    list.push(
      present({
        name,
        definition: present({ enable_manual: args.enable_manual ?? false, insert, update, delete: deleted }),
        retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60, ...asItem(args.retry_conf) },
        webhook,
        webhook_from_env,
        headers: Array.isArray(headers) && headers.length === 0 ? undefined : headers,
        request_transform: transformOf(args.request_transform),
        cleanup_config: cleanupOf(args.cleanup_config),
        comment,
      }),
    )
  },
  delete_event_trigger(document, args) {
    const found = findTrigger(needSource(document, args), args.name)
    if (!found) throw new Refusal('not-exists')
    remove(items(found.table, 'event_triggers'), found.trigger)
  },
  pause_event_trigger_cleanups: setPaused(true),
  resume_event_trigger_cleanups: setPaused(false),
}

export const cronTriggerRules: Rules = {
  create_cron_trigger(document, args) {
    const list = items(document, 'cron_triggers')
    const { replace, ...given } = args
    const known = named(list, 'name', args.name)
    if (replace !== true && known) throw new Refusal('already-exists')
    if (replace === true && !known) throw new Refusal('not-exists')
    remove(list, known)
    const retry = {
      num_retries: 0,
      retry_interval_seconds: 10,
      timeout_seconds: 60,
      tolerance_seconds: 21600,
      ...asItem(given.retry_conf),
    }
    const isDefault =
      JSON.stringify(retry) ===
      JSON.stringify({ num_retries: 0, retry_interval_seconds: 10, timeout_seconds: 60, tolerance_seconds: 21600 })
    list.push(
      present({
        ...given,
        retry_conf: isDefault ? undefined : retry,
        headers: Array.isArray(given.headers) && given.headers.length === 0 ? undefined : given.headers,
        request_transform: transformOf(given.request_transform),
      }),
    )
  },
  delete_cron_trigger(document, args) {
    const list = items(document, 'cron_triggers')
    if (!remove(list, named(list, 'name', args.name))) throw new Refusal('not-exists')
  },
}
