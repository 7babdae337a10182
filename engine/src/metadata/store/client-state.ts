import type { JsonObject } from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, once, repeatable } from './connection.ts'
import type { ClientState } from './metadata-store.ts'

const readStatement = repeatable('svc_client_state')`
   SELECT svc_uuid::text, cli_state::text, console_state::text FROM svc_catalog.svc_version`

const writeStatement = (type: 'cli' | 'console') => once(`svc_set_${type}_state`)`
    UPDATE svc_catalog.svc_version SET ${type}_state = $1::text::json
    WHERE $2::text IS NULL OR ${type}_state::jsonb = $2::text::jsonb RETURNING 't'`

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
  return (await connection.run(writeStatement(type), values)).length > 0
}
