/**
 * Texts put together as bytes, for what is long and made of thousands of short parts: as strings each part would be garbage
 * for V8 to scan, a third of what a joined row costs.
 */
let memory = Buffer.allocUnsafeSlow(65_536)
let size = 0

/** Begins a text. The caller ends it before anything else runs: there is one at a time. */
export function beginText(): void {
  size = 0
  if (memory.length > MOST_KEPT) memory = Buffer.allocUnsafeSlow(65_536)
}

/** Returns a copy of what was written. */
export const endText = (): Buffer => Buffer.from(memory.subarray(0, size))

export function writeBytes(bytes: Uint8Array): void {
  if (size + bytes.length > memory.length) grow(bytes.length)
  // shorter ones are copied faster than native code is called
  if (bytes.length > 32) memory.set(bytes, size)
  else for (let i = 0; i < bytes.length; i++) memory[size + i] = bytes[i] ?? 0
  size += bytes.length
}

/** Writes a whole number from 0 on. */
export function writeNumber(value: number): void {
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
  if (size + digits > memory.length) grow(digits)
  let rest = value
  for (let i = size + digits - 1; i >= size; i--) {
    memory[i] = 0x30 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
  size += digits
}

/** Writes a text as JSON has it inside a string. */
export function writeEscaped(text: string): void {
  if (size + 2 * text.length > memory.length) grow(2 * text.length)
  let at = size
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) {
      size = at
      writeBytes(escaped(text.slice(i)))
      return
    }
    if (code === quote || code === backslash) memory[at++] = backslash
    memory[at++] = code
  }
  size = at
}

/** Printable ASCII, as JSON has it inside a string. */
export function writeQuoted(bytes: Uint8Array, start: number, end: number): void {
  if (size + 2 * (end - start) > memory.length) grow(2 * (end - start))
  let at = size
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0
    if (byte === quote || byte === backslash) memory[at++] = backslash
    memory[at++] = byte
  }
  size = at
}

export const escaped = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1))

const quote = 0x22
const backslash = 0x5c
const MOST_KEPT = 4_194_304

function grow(more: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * memory.length, size + more))
  memory.copy(larger, 0, 0, size)
  memory = larger
}
