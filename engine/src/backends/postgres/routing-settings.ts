import type { PostgresConfiguration, PostgresConnection } from '@svc/schema'
import { parseTemplate, type Template } from '../../templates/index.ts'
import { type ConnectionSettings, type OpenablePool, type RoutingSettings, SourceUnavailable } from '../backend.ts'
import { type ConfigurationContext, UnresolvedConfiguration } from '../source-configuration.ts'
import { connectionUrl } from './connect/connection-url.ts'
import { PostgresSource } from './connect/postgres-source.ts'
import { connectionSettings } from './connection-settings.ts'

/**
 * What a configuration names in addition to its own connection; undefined: nothing. Throws UnresolvedConfiguration for a variable
 * that is not set and a template that cannot be parsed.
 */
export function routingSettings(
  source: string,
  configuration: PostgresConfiguration,
  context: ConfigurationContext,
): RoutingSettings | undefined {
  const { read_replicas: replicas = [], connection_set: members = [], connection_template: template } = configuration
  if (replicas.length === 0 && members.length === 0 && !template) return undefined
  const settings = (info: PostgresConnection) =>
    connectionSettings(source, { ...configuration, connection_info: info }, context.environment, context.defaults)
  return {
    // a caller that waits for a replica could be answered elsewhere
    replicas: replicas.map((info) => poolOf({ ...settings(info), retryFor: 0 }, 'replica')),
    members: new Map(
      members.map(({ name, connection_info: info }) => [name, poolOf(settings(info), `member ${name}`)] as const),
    ),
    template: template ? parsed(template.template) : null,
  }
}

function poolOf(settings: ConnectionSettings, what: string): OpenablePool {
  const address = addressOf(settings.databaseUrl)
  const named = { ...settings, source: `${settings.source} (${what} ${address})` }
  return {
    key: JSON.stringify(named),
    name: named.source,
    address,
    size: settings.maxConnections,
    open(report) {
      try {
        return new PostgresSource(named, report)
      } catch (error) {
        throw new SourceUnavailable(error instanceof Error ? error.message : String(error), { cause: error })
      }
    },
  }
}

/** `host:port/database`. */
export function addressOf(databaseUrl: string): string {
  try {
    const { host, hostname, port, pathname, searchParams } = new URL(connectionUrl(databaseUrl))
    // a password that was not encoded can be read as a port and a path
    if (pathname.includes('@')) return '(unreadable)'
    const other = searchParams.get('host')
    return `${other === null ? host || hostname : `${other}${port && `:${port}`}`}${pathname}`
  } catch {
    return '(unreadable)'
  }
}

function parsed(text: string): Template {
  const result = parseTemplate(text)
  if (result.kind === 'template') return result.template
  const { message, source_position: at } = result.error
  throw new UnresolvedConfiguration(
    `connection_template cannot be parsed, line ${at.start_line + 1}, column ${at.start_column}: ${message}`,
  )
}
