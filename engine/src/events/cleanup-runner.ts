import {
  type CleanupConfiguration,
  childrenOf,
  type MetadataDocument,
  nextCronTimes,
  objectValue,
  parseCronSchedule,
  tablesWith,
} from '@svc/schema'
import type { EventStore } from '../backends/index.ts'
import type { ServedState } from '../changes/index.ts'
import type { Observer } from '../observe/index.ts'

/** Due times that are stored ahead, and below how many more are added (reference/event-triggers#cleaning-up). */
const AHEAD = 50
const FEWEST = 5
/** Milliseconds between reads of what is due. */
const INTERVAL = 30_000

/** A trigger whose logs are cleaned on a schedule. */
interface CleanedTrigger {
  readonly name: string
  readonly configuration: CleanupConfiguration
}

interface CleanedSource {
  readonly source: string
  readonly store: EventStore
  readonly triggers: readonly CleanedTrigger[]
}

/** Cleans the logs of event triggers when their schedules say so. Of several instances one does each clean-up. */
export class CleanupRunner {
  readonly #options: { readonly current: () => ServedState; readonly observer: Observer }
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #closed = false

  constructor(options: { readonly current: () => ServedState; readonly observer: Observer }) {
    this.#options = options
  }

  /** Metadata may want clean-ups now. */
  refresh(): void {
    if (this.#timer || this.#closed || this.#cleaned().length === 0) return
    this.#timer = setTimeout(() => void this.#runDue(), 0)
    this.#timer.unref()
  }

  close(): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #runDue(): Promise<void> {
    this.#running ??= Promise.all(this.#cleaned().map((source) => this.#cleanSource(source))).then(() => {})
    await this.#running
    this.#running = null
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.#runDue(), INTERVAL)
    this.#timer.unref()
  }

  #cleaned(): readonly CleanedSource[] {
    const { document, model } = this.#options.current()
    return [...model.input.sources.values()].flatMap((state) => {
      if (state.status !== 'ready' || !state.connection.events) return []
      const triggers = cleanedTriggers(document, state.name)
      return triggers.length === 0 ? [] : [{ source: state.name, store: state.connection.events, triggers }]
    })
  }

  /** What fails is tried again with the next read. */
  async #cleanSource({ source, store, triggers }: CleanedSource): Promise<void> {
    try {
      if (!(await store.isPrepared())) return
      for (const trigger of triggers) await plan(store, trigger)
      for (const { id, trigger: name } of await store.cleanups.take(triggers.map((trigger) => trigger.name))) {
        const trigger = triggers.find((one) => one.name === name)
        if (trigger) await this.#clean(source, store, id, trigger)
      }
    } catch {
      // delivery reports that the database does not answer
    }
  }

  async #clean(source: string, store: EventStore, id: string, { name, configuration }: CleanedTrigger): Promise<void> {
    if (configuration.paused) {
      await store.cleanups.finish(id, 'paused', { events: 0, invocations: 0 })
      return
    }
    const cleaned = await store.clean(cleanupOptions(name, configuration))
    await store.cleanups.finish(id, 'completed', cleaned)
    this.#options.observer.report({ kind: 'event-logs-cleaned', source, trigger: name, ...cleaned })
  }
}

export const cleanupOptions = (
  trigger: string,
  options: Pick<CleanupConfiguration, 'clear_older_than' | 'batch_size' | 'timeout' | 'clean_invocation_logs'>,
) => ({
  trigger,
  olderThan: options.clear_older_than,
  batchSize: options.batch_size,
  timeout: options.timeout,
  cleanInvocationLogs: options.clean_invocation_logs,
})

async function plan(store: EventStore, { name, configuration }: CleanedTrigger): Promise<void> {
  const { count, latest } = await store.cleanups.pending(name)
  const schedule = parseCronSchedule(configuration.schedule)
  if (count >= FEWEST || !schedule) return
  await store.cleanups.schedule(name, nextCronTimes(schedule, Math.max(latest ?? 0, Date.now()), AHEAD))
}

function cleanedTriggers(document: MetadataDocument, source: string): readonly CleanedTrigger[] {
  const found = [...childrenOf(document, 'source').values()].find(({ value }) => value.name === source)
  const tables = found ? [...tablesWith(found, 'event_trigger').values()] : []
  return tables.flatMap((table) =>
    [...childrenOf(table, 'event_trigger').values()].flatMap((object) => {
      const { name, cleanup_config } = objectValue(object, 'event_trigger')
      return cleanup_config ? [{ name, configuration: cleanup_config }] : []
    }),
  )
}
