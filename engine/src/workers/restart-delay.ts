/** Milliseconds that a worker has to live for its end to be no sign of a lasting reason. */
export const SOUND_MILLISECONDS = 60_000

const longest = 30_000

/** Milliseconds until a worker is replaced, by how many ended in a row before they had lived a minute: 0, 1 s, 2 s … 30 s. */
export const restartDelay = (endsInARow: number): number =>
  endsInARow <= 1 ? 0 : Math.min(longest, 1000 * 2 ** Math.min(endsInARow - 2, 10))
