import type { BigqueryConfiguration } from '@svc/schema'
import type { ConfigurationContext } from '../source-configuration.ts'

/** A source's configuration, resolved. It holds the key of the service account. */
export interface SourceSettings {
  readonly source: string
  readonly clientEmail: string
  readonly privateKey: string
  readonly projectId: string
  readonly datasets: readonly string[]
  readonly globalSelectLimit: number
  readonly retryLimit: number
  /** Microseconds. */
  readonly retryBaseDelay: number
  /** Text of bytes that a job may be billed for; null: no limit. */
  readonly maximumBytesBilled: string | null
  readonly apiEndpoint: string
  readonly tokenEndpoint: string
}

export function sourceSettings(_: string, __: BigqueryConfiguration, ___: ConfigurationContext): SourceSettings {
  throw new Error('not yet')
}
