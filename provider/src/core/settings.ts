import { actorOf, type Connection } from '../client/index.ts'
import { unknown, type Value, type Values } from '../resources/index.ts'
import type { Tool } from './provider.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  readonly connection: Connection
  readonly previewChecks: 'error' | 'warn' | 'off'
  readonly adoptExisting: boolean
  /** Whether plans ask the servers of remote schemas what they serve now. */
  readonly introspectRemoteSchemas: boolean
}

export type ReadSettings =
  | { readonly kind: 'settings'; readonly settings: Settings }
  /** Some of it comes from what is not there yet. */
  | { readonly kind: 'unknown'; readonly names: readonly string[] }
  | { readonly kind: 'missing'; readonly name: string }

/** The configuration with defaults filled in, the environment in place of what is not given. */
export function readSettings(config: Values, environment: Environment, tool: Tool): ReadSettings {
  const names = Object.keys(config).filter((name) => config[name] === unknown)
  if (names.length > 0) return { kind: 'unknown', names }
  const setting = (name: string): Value => config[name] ?? fromEnvironment(environment, name)
  const endpoint = text(setting('endpoint'))
  const adminSecret = text(setting('admin_secret'))
  const certificateAuthority = text(setting('certificate_authority'))
  if (endpoint === undefined) return { kind: 'missing', name: 'endpoint' }
  return {
    kind: 'settings',
    settings: {
      connection: {
        endpoint,
        actor: `${tool.name}, ${actorOf(environment)}`.slice(0, 200),
        userAgent: `svc-${tool.name}/${tool.version}`,
        insecure: isOn(setting('insecure_skip_tls_verify')),
        timeoutMilliseconds: Number(config.request_timeout) * 1000,
        ...(adminSecret !== undefined && { adminSecret }),
        ...(certificateAuthority !== undefined && { certificateAuthority }),
      },
      previewChecks: config.preview_checks === 'off' ? 'off' : config.preview_checks === 'warn' ? 'warn' : 'error',
      adoptExisting: config.adopt_existing === true,
      introspectRemoteSchemas: isOn(setting('introspect_remote_schemas')),
    },
  }
}

const isOn = (value: Value): boolean => value === true || (typeof value === 'string' && /^(1|true|yes)$/i.test(value))

const fromEnvironment = (environment: Environment, name: string): string | null =>
  environment[`SVC_GRAPHQL_${name.toUpperCase()}`] || null

const text = (value: Value): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
