import type { ListSlot } from './catalogue.ts'

/** Runs a statement of the catalogue and gives its rows as text. `name`: it is worth keeping prepared. */
export type Ask = (
  text: string,
  parameters: readonly ListSlot[],
  name?: string,
) => Promise<readonly (readonly (string | null)[])[]>
