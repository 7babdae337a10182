import type { CleanupStore, TextRows } from '../../event-store.ts'
import * as texts from './cleanup-statements.ts'

/** Runs a statement whose parameters are texts. */
export type RunText = (text: string, parameters: readonly (string | null)[], signal?: AbortSignal) => Promise<TextRows>

type Together = <Result>(work: (run: RunText) => Promise<Result>) => Promise<Result>

/** When the logs of events of a SQL Server source are to be cleaned. */
export class MssqlCleanups implements CleanupStore {
  readonly #run: RunText
  readonly #together: Together

  /** `together`: runs several statements in one transaction. */
  constructor(run: RunText, together: Together) {
    this.#run = run
    this.#together = together
  }

  async pending(trigger: string): ReturnType<CleanupStore['pending']> {
    const [row] = await this.#run(texts.pendingText, [trigger])
    const latest = row?.[1] ?? null
    return { count: Number(row?.[0] ?? 0), latest: latest === null ? null : Date.parse(latest) }
  }

  async schedule(trigger: string, times: readonly number[]): Promise<void> {
    const moments = times.map((time) => new Date(time).toISOString())
    await this.#run(texts.scheduleText, [trigger, JSON.stringify(moments)])
  }

  async take(triggers: readonly string[]): ReturnType<CleanupStore['take']> {
    const due = await this.#together(async (run) => {
      const rows = await run(texts.dueText, [JSON.stringify(triggers)])
      if (rows.length > 0) await run(texts.takeText, [JSON.stringify(rows.map(([id]) => id))])
      return rows
    })
    const newest = new Map<string, string>()
    for (const [id, trigger] of due) if (trigger && id && !newest.has(trigger)) newest.set(trigger, id)
    return [...newest].map(([trigger, id]) => ({ id, trigger }))
  }

  async finish(...[id, status, { events, invocations }]: Parameters<CleanupStore['finish']>): Promise<void> {
    await this.#run(texts.finishText, [id, status, String(events), String(invocations)])
  }

  async forget(triggers: readonly string[]): Promise<void> {
    await this.#run(texts.forgetText, [JSON.stringify(triggers)])
  }
}
