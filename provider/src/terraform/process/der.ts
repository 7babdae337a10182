/** The few forms of DER that a certificate is made of. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body])
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return [0x80 + bytes.length, ...bytes]
}

export const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content)
export const set = (...content: readonly Uint8Array[]) => der(0x31, ...content)
export const octets = (content: Uint8Array) => der(0x04, content)
export const bits = (content: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), content)
export const utf8 = (text: string) => der(0x0c, Buffer.from(text, 'utf8'))
/** In the context of what is around it. */
export const tagged = (number: number, ...content: readonly Uint8Array[]) => der(0xa0 + number, ...content)

/** Positive; a leading zero keeps the first bit from being read as a sign. */
export const integer = (content: Uint8Array) =>
  der(0x02, (content[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), content]) : content)

/** `2.5.29.17` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

/** With the year in four digits where two no longer do (from 2050 on). */
export function time(at: Date): Buffer {
  const digits = at
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}
