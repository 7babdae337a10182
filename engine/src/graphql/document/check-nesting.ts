import { Path } from '../../errors.ts'
import { tooDeep } from './too-deep.ts'

const quote = 34
const backslash = 92
const newline = 10
const carriageReturn = 13
const hash = 35

/**
 * Refuses brackets nested deeper than `maxDepth` before the parser, which recurses, sees them.
 * Throws validation-failed at `$.query`.
 */
export function checkNesting(text: string, maxDepth: number): void {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 123: // {
      case 91: // [
      case 40: // (
        depth++
        if (depth > maxDepth) throw tooDeep(Path.root.at('query'), maxDepth)
        break
      case 125: // }
      case 93: // ]
      case 41: // )
        depth--
        break
      case hash:
        i = endOfLine(text, i)
        break
      case quote:
        i = text.startsWith('"""', i) ? endOfBlockString(text, i + 3) : endOfString(text, i + 1)
        break
    }
  }
}

function endOfLine(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === newline || code === carriageReturn) return i
  }
  return text.length
}

/** The closing quote; an unclosed string ends at its line, where the parser will complain. */
function endOfString(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote || code === newline || code === carriageReturn) return i
    if (code === backslash) i++
  }
  return text.length
}

function endOfBlockString(text: string, from: number): number {
  for (let i = from; ; ) {
    const end = text.indexOf('"""', i)
    if (end < 0) return text.length
    if (text.charCodeAt(end - 1) !== backslash) return end + 2
    i = end + 3
  }
}
