/** One type of the schema, printed. */
export interface TypeText {
  readonly name: string
  readonly text: string
  /** Names of types. */
  readonly mentions: readonly string[]
}

/**
 * Types printed one after the other in the order of their names, a separator after each: cached and sent as they are.
 */
export interface TypeTexts {
  readonly bytes: Buffer
  /** Where each text ends, its separator included. */
  readonly ends: readonly number[]
  /** Of these types, then of those that they mention. */
  readonly names: readonly string[]
  /** What each type mentions, as places in `names`. */
  readonly mentions: readonly (readonly number[])[]
}

export function packTexts(types: readonly TypeText[], separator: string): TypeTexts {
  const sorted = [...types].sort((a, b) => (a.name < b.name ? -1 : 1))
  const places = new Map(sorted.map(({ name }, i) => [name, i]))
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? places.size
    places.set(name, place)
    return place
  }
  const mentions = sorted.map((type) => type.mentions.map(placeOf))
  const bytes = Buffer.allocUnsafeSlow(
    sorted.reduce((sum, { text }) => sum + Buffer.byteLength(text) + separator.length, 0),
  )
  let end = 0
  const ends = sorted.map(({ text }) => {
    end += bytes.write(text, end)
    end += bytes.write(separator, end, 'latin1')
    return end
  })
  return { bytes, ends, names: [...places.keys()], mentions }
}
