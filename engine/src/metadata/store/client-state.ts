import type { JsonObject } from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, once, repeatable } from './connection.ts'

interface ClientState {
  /** Of the catalogue. */
  readonly id: string
  readonly cli: JsonObject
  readonly console: JsonObject
}

/** What clients store in the catalogue (get_/set_catalog_state); no part of metadata. */
export interface ClientStates {
  read(): Promise<ClientState>
  /** False, and nothing is stored, where the state is not `expected`; null: whatever it is. */
  write(type: 'cli' | 'console', state: JsonObject, expected: JsonObject | null): Promise<boolean>
}

const readStatement = repeatable('svc_client_state')`
   SELECT svc_uuid::text, cli_state::text, console_state::text FROM svc_catalog.svc_version`

const writeStatement = (type: 'cli' | 'console') => once(`svc_set_${type}_state`)`
    UPDATE svc_catalog.svc_version SET ${type}_state = $1::text::json
    WHERE $2::text IS NULL OR ${type}_state::jsonb = $2::text::jsonb RETURNING 't'`

const stateOf = (text: string | null | undefined) => parseExactly(text ?? '{}') as JsonObject

export const clientStates = ({ run }: Pick<CatalogueConnection, 'run'>): ClientStates => ({
  async read() {
    const [id, cli, console] = (await run(readStatement))[0] ?? []
    return { id: id ?? '', cli: stateOf(cli), console: stateOf(console) }
  },
  write: async (type, state, expected) =>
    (await run(writeStatement(type), [JSON.stringify(state), expected && JSON.stringify(expected)])).length > 0,
})
