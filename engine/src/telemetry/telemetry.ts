import type { Opentelemetry } from '@svc/schema'
import type { Environment } from '../http-client/index.ts'
import type { Metrics } from '../metrics/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { recordSpans, type Traces } from '../tracing/index.ts'
import { createMetricsExporter } from './metrics-exporter.ts'
import { readTelemetry, type TelemetrySettings } from './read-settings.ts'
import { createSpanExporter } from './span-exporter.ts'
import { spansOfObservations } from './spans-of-observations.ts'

export interface TelemetryOptions {
  /** That of the served metadata; null where it has none. The same reference while it is not changed. */
  readonly settings: () => Opentelemetry | null
  readonly environment: Environment
  readonly observer: Observer
  /** Of the URLs that are served. */
  readonly scheme: 'http' | 'https'
  readonly traces: Traces
  /** Made when figures are first sent. */
  readonly metrics: () => Promise<Metrics>
}

/** Sends traces and metrics as the served metadata says, and begins again when that changes. */
export class Telemetry {
  readonly #options: TelemetryOptions
  #read: Opentelemetry | null = null
  #ends: readonly (() => Promise<void>)[] = []
  #changing: Promise<void> = Promise.resolve()
  readonly #unsubscribe: () => void

  private constructor(options: TelemetryOptions) {
    this.#options = options
    this.#unsubscribe = options.observer.subscribe(({ kind }) => {
      if (kind === 'metadata-committed' || kind === 'metadata-synchronised') setImmediate(() => void this.#follow())
    })
  }

  static async start(options: TelemetryOptions): Promise<Telemetry> {
    const telemetry = new Telemetry(options)
    await telemetry.#follow()
    return telemetry
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#changing
    await this.#end()
  }

  #follow(): Promise<void> {
    this.#changing = this.#changing.then(async () => {
      const { settings, environment, observer } = this.#options
      const now = settings()
      if (now === this.#read) return
      this.#read = now
      await this.#end()
      const read = now === null ? null : readTelemetry(now, environment)
      if (typeof read === 'string') return this.#failed(read)
      this.#options.traces.propagateBy(read?.propagators ?? [])
      if (read === null) return
      try {
        await this.#begin(read)
        observer.report({ kind: 'telemetry-started', traces: read.traces !== null, metrics: read.metrics !== null })
      } catch (error) {
        this.#failed(errorReport(error).message)
      }
    })
    return this.#changing
  }

  #failed(message: string): void {
    this.#options.observer.report({ kind: 'telemetry-failed', message })
  }

  async #begin(settings: TelemetrySettings): Promise<void> {
    const { observer, metrics } = this.#options
    const ends: (() => Promise<void>)[] = []
    this.#ends = ends
    if (settings.traces !== null) {
      const exporter = await createSpanExporter(settings.traces, settings)
      const unsubscribe = observer.subscribe(spansOfObservations(exporter.export, this.#options.scheme))
      const stopRecording = recordSpans()
      ends.push(async () => {
        stopRecording()
        unsubscribe()
        await exporter.close()
      })
    }
    if (settings.metrics !== null) {
      const exporter = await createMetricsExporter(settings.metrics, settings, await metrics())
      ends.push(() => exporter.close())
    }
  }

  async #end(): Promise<void> {
    const ends = this.#ends
    this.#ends = []
    // an endpoint that is unavailable must not delay other requests
    await Promise.race([
      Promise.allSettled(ends.map((end) => end())),
      new Promise((resolve) => setTimeout(resolve, lastSendMilliseconds).unref()),
    ])
  }
}

const lastSendMilliseconds = 3000
