/** Runs a statement whose parameters are texts; cells come as texts. */
export type RunText = (text: string, parameters: readonly (string | null)[], signal?: AbortSignal) => Promise<TextRows>

export type TextRows = readonly (readonly (string | null)[])[]
