import type { ListSlot } from './catalogue.ts'

/** Runs a statement of the catalogue and returns its rows as text. `name`: it is prepared under this name. */
export type Ask = (
  text: string,
  parameters: readonly ListSlot[],
  name?: string,
) => Promise<readonly (readonly (string | null)[])[]>
