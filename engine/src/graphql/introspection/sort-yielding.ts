import type { Pause } from './pause.ts'

const atOnce = 1000

/** Sorts texts as `sort` does, while other requests go on: 40,000 names take 40 ms at once. */
export async function sortYielding(texts: readonly string[], pause: Pause): Promise<readonly string[]> {
  let runs: (readonly string[])[] = []
  for (let i = 0; i < texts.length; i += atOnce) {
    runs.push(texts.slice(i, i + atOnce).sort())
    await pause()
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(runs[i] ?? [], runs[i + 1] ?? [], pause))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(a: readonly string[], b: readonly string[], pause: Pause): Promise<readonly string[]> {
  const merged: string[] = []
  let next = 0
  for (const [i, text] of a.entries()) {
    for (let other = b[next]; other !== undefined && other < text; other = b[++next]) merged.push(other)
    merged.push(text)
    if (i % atOnce === 0) await pause()
  }
  for (; next < b.length; next++) merged.push(b[next] ?? '')
  return merged
}
