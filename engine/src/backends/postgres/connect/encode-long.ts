import { type LongWork, Stretches } from '../../../long-work.ts'

type Parameters = readonly (string | null)[]

/** Characters of a text from where on it is made bytes before it is sent: 30 million take 50 ms at once. */
const LONG = 1_048_576
const PIECE = 65_536

/** The encoded texts, by the list of parameters that they are in, for as long as that is referred to. */
const encoded = new WeakMap<Parameters, ReadonlyMap<number, readonly Buffer[]>>()

export const isLong = (text: string | null): text is string => text !== null && text.length > LONG

/** Encodes the long texts of a list in pieces. Returns null where there is none, and nothing to wait for. */
export function encodeLong(parameters: Parameters): Promise<void> | null {
  return parameters.some(isLong) && !encoded.has(parameters) ? encodeAll(parameters) : null
}

/** Returns the bytes of the n-th text, or undefined where `encodeLong` has not encoded it. */
export const encodedText = (parameters: Parameters, n: number): readonly Buffer[] | undefined =>
  encoded.get(parameters)?.get(n)

async function encodeAll(parameters: Parameters): Promise<void> {
  const stretches = new Stretches()
  const made = new Map<number, readonly Buffer[]>()
  for (const [n, text] of parameters.entries()) {
    if (!isLong(text)) continue
    // its parts are joined when it is first read
    await stretches.yield()
    made.set(n, await stretches.run(encode(text)))
  }
  encoded.set(parameters, made)
}

function* encode(text: string): LongWork<readonly Buffer[]> {
  const pieces: Buffer[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length)
    // both halves of a pair stay together
    if (to < text.length && isFirstOfPair(text.charCodeAt(to - 1))) to--
    pieces.push(Buffer.from(text.slice(from, to), 'utf8'))
    yield PIECE / 1024
    from = to
  }
  return pieces
}

const isFirstOfPair = (code: number) => code >= 0xd800 && code <= 0xdbff
