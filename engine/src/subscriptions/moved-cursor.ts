import type { PreparedPoll } from '../execute/index.ts'

/** A stream that goes on by the same column goes on where it was. */
export function movedCursor(
  before: PreparedPoll,
  values: readonly (string | null)[],
  { cursor }: PreparedPoll,
  fresh: readonly (string | null)[],
): readonly (string | null)[] {
  const old = before.cursor
  if (!old || !cursor || old.column !== cursor.column || old.direction !== cursor.direction) return fresh
  return fresh.with(cursor.slot, values[old.slot] ?? null)
}
