import { createPrivateKey } from 'node:crypto'
import { type BigqueryConfiguration, isRecord, type Json } from '@svc/schema'
import {
  type ConfigurationContext,
  type Environment,
  UnresolvedConfiguration,
  variableOf,
} from '../source-configuration.ts'

/** A source's configuration, resolved. It holds the key of the service account. */
export interface SourceSettings {
  readonly source: string
  readonly account: ServiceAccount
  readonly projectId: string
  readonly datasets: readonly string[]
  /** Rows that a select returns at most. */
  readonly globalSelectLimit: number
  readonly retryLimit: number
  /** Microseconds. */
  readonly retryBaseDelay: number
  /** Bytes that a job may be billed for; 0: any number. */
  readonly maximumBytesBilled: number
  /** The origin that `/bigquery/v2/projects/…` follows. */
  readonly apiEndpoint: string
  readonly tokenEndpoint: string
}

export interface ServiceAccount {
  readonly clientEmail: string
  /** PEM */
  readonly privateKey: string
}

/** 10 GB: a query that reads more fails before it is billed for anything. */
export const defaultBytesBilled = 10_000_000_000

const defaultEndpoints = {
  apiEndpoint: 'https://bigquery.googleapis.com',
  tokenEndpoint: 'https://www.googleapis.com/oauth2/v4/token',
}

/**
 * Reads a source's configuration with the variables that it refers to (reference/metadata-operations#sources). Throws
 * UnresolvedConfiguration, which never shows any part of a key.
 */
export function sourceSettings(
  source: string,
  configuration: BigqueryConfiguration,
  { environment, defaults }: ConfigurationContext,
): SourceSettings {
  const resolved = (value: Json | undefined) => resolve(value, environment)
  const number = (value: Json | undefined, what: string, fallback: number) =>
    nonNegative(resolved(value), what, fallback)
  return {
    source,
    account: serviceAccount(resolved(configuration.service_account)),
    projectId: pathWord(String(resolved(configuration.project_id)), 'project id'),
    datasets: datasets(resolved(configuration.datasets)),
    globalSelectLimit: number(configuration.global_select_limit, 'global select limit', 1000),
    retryLimit: number(configuration.retry_limit, 'retry limit', 5),
    retryBaseDelay: number(configuration.retry_base_delay, 'retry base delay', 500_000),
    maximumBytesBilled: number(configuration.maximum_bytes_billed, 'maximum bytes billed', defaultBytesBilled),
    ...defaultEndpoints,
    ...defaults.bigquery,
  }
}

/** A value, or the text of the environment variable that it names. */
function resolve(value: Json | undefined, environment: Environment): Json | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 1 || typeof value.from_env !== 'string') return value
  return variableOf(value.from_env, environment)
}

function serviceAccount(given: Json | undefined): ServiceAccount {
  const account = typeof given === 'string' ? parse(given) : given
  if (!isRecord(account) || typeof account.client_email !== 'string' || typeof account.private_key !== 'string')
    throw new UnresolvedConfiguration(
      'the service account must be an object, or its JSON text, with client_email and private_key',
    )
  if (!isRsaKey(account.private_key)) throw new UnresolvedConfiguration('unable to parse private key')
  return { clientEmail: account.client_email, privateKey: account.private_key }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // its message would show what it could not parse
    return null
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

function datasets(given: Json | undefined): readonly string[] {
  const names = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given
  if (!Array.isArray(names)) throw new UnresolvedConfiguration('the datasets must be a list of names')
  return [...new Set(names.map(String).filter((name) => name !== ''))].map((name) => pathWord(name, 'dataset'))
}

/** Names stand in URLs and in the text of queries (the service has no other names; a project may have a domain). */
function pathWord(name: string, what: string): string {
  if (!/^[A-Za-z0-9_.:-]+$/.test(name)) throw new UnresolvedConfiguration(`"${name}" is not the name of a ${what}`)
  return name
}

function nonNegative(given: Json | undefined, what: string, fallback: number): number {
  if (given === undefined || given === null) return fallback
  const text = String(given).trim()
  if (!/^-?[0-9]+$/.test(text)) throw new UnresolvedConfiguration(`Need a non-negative integer for ${what}`)
  if (text.startsWith('-')) throw new UnresolvedConfiguration(`Need the integer for the ${what} to be non-negative`)
  return Number(text)
}
