import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

export type Settings = {
  readonly checkout: string
  readonly home: string
  readonly host: string
  readonly port: number
  readonly example: string
}

/** The engine's own variables, with defaults that suit one developer's machine: data in `.svc/`, loopback only. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  return {
    checkout,
    home: resolve(checkout, environment.SVC_GRAPHQL_EMBEDDED_DATA_DIRECTORY || '.svc'),
    host: environment.SVC_GRAPHQL_SERVER_HOST || '127.0.0.1',
    port: Number(environment.SVC_GRAPHQL_SERVER_PORT || 8080),
    example: join(checkout, 'examples/music-store'),
  }
}
