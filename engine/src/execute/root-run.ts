/** Receives the JSON of an answer, in pieces. */
export type Add = (part: Buffer) => void

/** A root field that is ready to be answered. */
export interface RootRun {
  /** Null in a list. */
  readonly key: string | null
  /** Adds its JSON, in one piece or several. */
  readonly run: (add: Add) => Promise<void>
}

/** Runs root fields one after another; their answers stand between `opening` and `closing` by their keys. */
export async function runAll(runs: readonly RootRun[], opening: string, closing: string, add: Add): Promise<void> {
  // @skip may leave no root field at all, so the opening does not wait for the first
  let text = opening
  for (const { key, run } of runs) {
    if (key !== null) text += `${JSON.stringify(key)}:`
    add(Buffer.from(text))
    text = ','
    await run(add)
  }
  add(Buffer.from(runs.length === 0 ? text + closing : closing))
}
