const quote = 34
const backslash = 92
const comma = 44
const openingBracket = 91
const openingBrace = 123

/**
 * About how many values a JSON text has: its commas and opening brackets outside of strings. A value may take 100 bytes of
 * memory and two of text: 200 MB of nested brackets would end the process.
 */
export function countValues(json: Uint8Array): number {
  let count = 1
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (byte === comma || byte === openingBracket || byte === openingBrace) count++
    else if (byte === quote) i = endOfString(json, i + 1)
  }
  return count
}

function endOfString(json: Uint8Array, from: number): number {
  let i = from
  while (i < json.length && json[i] !== quote) i += json[i] === backslash ? 2 : 1
  return i
}
