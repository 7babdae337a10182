/** Milliseconds: a timer of Node that is to last longer ends at once. */
export const longestTimer = 2 ** 31 - 1
