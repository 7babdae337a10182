import type { TextRows } from '../../event-store.ts'
import type { Sql } from '../../sql.ts'
import type { ListSlot } from './catalogue.ts'

/** Runs a statement of the catalogue and returns its rows as text. `name`: it is prepared under this name. */
export type Ask = (query: Sql<ListSlot>, name?: string) => Promise<TextRows>
