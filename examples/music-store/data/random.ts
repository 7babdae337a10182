/** Random choices that are the same on every machine and in every run. */
export type Random = {
  /** From 0 to below `limit`. */
  below(limit: number): number
  between(first: number, last: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
}

/** Two rounds of a multiply-and-shift hash over a counter: plain, and without floating point that could differ. */
export function seededRandom(seed: number): Random {
  let counter = seed
  const next = () => {
    counter = (counter + 0x9e3779b9) | 0
    let bits = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad)
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
    return (bits ^ (bits >>> 15)) >>> 0
  }
  const below = (limit: number) => next() % limit
  return {
    below,
    between: (first, last) => first + below(last - first + 1),
    pick: (list) => {
      const chosen = list[below(list.length)]
      if (chosen === undefined) throw new Error('nothing to pick from')
      return chosen
    },
    chance: (probability) => below(1_000_000) < probability * 1_000_000,
  }
}

/** `count` different numbers from 1 to `last`, ascending. */
export function distinct(random: Random, count: number, last: number): readonly number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1)
  for (let index = 0; index < count; index++) {
    const other = random.between(index, last - 1)
    const [a = 0, b = 0] = [all[index], all[other]]
    all[index] = b
    all[other] = a
  }
  return all.slice(0, count).sort((a, b) => a - b)
}

/** The first value that `make` gives and `taken` does not hold; it is taken then. */
export function unused(taken: Set<string>, make: () => string): string {
  for (;;) {
    const made = make()
    if (taken.has(made)) continue
    taken.add(made)
    return made
  }
}
