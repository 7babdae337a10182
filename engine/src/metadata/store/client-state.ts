import type { JsonObject } from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
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
    text: `
      UPDATE svc_catalog.svc_version SET cli_state = $1::text::json
      WHERE $2::text IS NULL OR cli_state::jsonb = $2::text::jsonb RETURNING 't'`,
  },
  console: {
    name: 'svc_set_console_state',
    repeatable: false,
    text: `
      UPDATE svc_catalog.svc_version SET console_state = $1::text::json
      WHERE $2::text IS NULL OR console_state::jsonb = $2::text::jsonb RETURNING 't'`,
  },
}

export async function readClientState(connection: CatalogueConnection): Promise<ClientState> {
  const [row] = await connection.run(readStatement)
  const [id, cli, console] = row ?? []
  return { id: id ?? '', cli: stateOf(cli), console: stateOf(console) }
}

const stateOf = (text: string | null | undefined) => parseExactly(text ?? '{}') as JsonObject

/** False, and nothing is written, where the state is not `expected`; null: whatever it is. */
export async function writeClientState(
  connection: CatalogueConnection,
  type: 'cli' | 'console',
  state: JsonObject,
  expected: JsonObject | null,
): Promise<boolean> {
  const values = [JSON.stringify(state), expected && JSON.stringify(expected)]
  return (await connection.run(writeStatements[type], values)).length > 0
}
