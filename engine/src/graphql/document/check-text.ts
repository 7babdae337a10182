import { ApiError, Path, type SourceLocation } from '../../errors.ts'
import type { GraphqlSettings } from '../settings.ts'
import { tooDeep } from './too-deep.ts'

const quote = 34
const backslash = 92
const newline = 10
const carriageReturn = 13
const hash = 35

/**
 * Refuses what would cost the parser too much: it recurses where brackets are nested, and keeps comments without counting
 * them as tokens (ten million in 20 MB took 500 MB). Throws validation-failed at `$.query`.
 */
export function checkText(
  text: string,
  { maxDepth, maxTokens }: Pick<GraphqlSettings, 'maxDepth' | 'maxTokens'>,
): void {
  let depth = 0
  let comments = 0
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
        comments++
        if (comments > maxTokens) throw invalidDocument(`more than ${maxTokens} comments`)
        i = endOfLine(text, i)
        break
      case quote:
        i = text.startsWith('"""', i) ? endOfBlockString(text, i + 3) : endOfString(text, i + 1)
        break
    }
  }
}

/** `internal`: the reason, for roles that may see it (reference/queries#transport). The position is for everyone. */
export const invalidDocument = (internal: string, locations?: readonly SourceLocation[]): ApiError =>
  new ApiError('validation-failed', Path.root.at('query'), 'not a valid graphql query', {
    internal,
    ...(locations && { locations }),
  })

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
