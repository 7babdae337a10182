import type { JsonObject } from '@svc/schema'
import type { CatalogueConnection, CatalogueStatement } from './connection.ts'
import type { ClientState } from './metadata-store.ts'

const readStatement: CatalogueStatement = {
  name: 'svc_client_state',
  repeatable: true,
  text: 'SELECT svc_uuid::text, cli_state::text, console_state::text FROM svc_catalog.svc_version',
}

const writeStatements: Readonly<Record<'cli' | 'console', CatalogueStatement>> = {
  cli: {
    name: 'svc_set_cli_state',
    repeatable: false,
    text: 'UPDATE svc_catalog.svc_version SET cli_state = $1::text::json',
  },
  console: {
    name: 'svc_set_console_state',
    repeatable: false,
    text: 'UPDATE svc_catalog.svc_version SET console_state = $1::text::json',
  },
}

export async function readClientState(connection: CatalogueConnection): Promise<ClientState> {
  const [row] = await connection.run(readStatement)
  const [id, cli, console] = row ?? []
  return { id: id ?? '', cli: JSON.parse(cli ?? '{}'), console: JSON.parse(console ?? '{}') }
}

export async function writeClientState(
  connection: CatalogueConnection,
  type: 'cli' | 'console',
  state: JsonObject,
): Promise<void> {
  await connection.run(writeStatements[type], [JSON.stringify(state)])
}
