/** A long statement made short for a parser that takes a minute for a thousand rows. */
import { isSymbol, isWord, type Token, tokenize } from './tokens.ts'

/** How many neighbours of one shape are kept. */
const KEPT = 2

/**
 * The statement without the members of its lists, and of its alternatives, that are as the two before them but for numbers, strings and names of parameters:
 * whatever a parser objects to in one of them, it objects to in those. Anything else stands where it stood.
 */
export function shorterStatement(sql: string): string {
  const tokens = tokenize(sql)
  const textOf = (from: number, to: number): string => sql.slice(tokens[from]?.start, tokens[to]?.start)
  const shorter = (from: number, to: number): string => {
    const members = membersOf(tokens, from, to)
    const shapes = members.map(([start, end]) => tokens.slice(start, end).map(shapeOf).join(' '))
    const isKept = (i: number) => i < KEPT || shapes.slice(i - KEPT, i).some((shape) => shape !== shapes[i])
    const kept = members.filter((_, i) => isKept(i))
    // each with the separator before it
    return kept.map(([start, end]) => inner(start === from ? start : start - 1, end)).join('')
  }
  const inner = (from: number, to: number): string => {
    let text = ''
    let at = from
    for (let i = from; i < to; i++) {
      if (!isSymbol(tokens[i], '(')) continue
      const close = closing(tokens, i, to)
      text += `${textOf(at, i + 1)}${shorter(i + 1, close)}`
      at = close
      i = close
    }
    return `${text}${textOf(at, to)}`
  }
  return shorter(0, tokens.length)
}

/** Of a list between two tokens: from where to where each member goes. */
function membersOf(tokens: readonly Token[], from: number, to: number): readonly (readonly [number, number])[] {
  const members: (readonly [number, number])[] = []
  let start = from
  for (let i = from; i < to; i++) {
    if (isSymbol(tokens[i], '(')) i = closing(tokens, i, to)
    else if (isSymbol(tokens[i], ',') || isWord(tokens[i], 'OR')) {
      members.push([start, i])
      start = i + 1
    }
  }
  members.push([start, to])
  return members
}

/** Where the parenthesis is closed; the end where it is not. */
function closing(tokens: readonly Token[], open: number, to: number): number {
  let depth = 0
  for (let i = open; i < to; i++) {
    if (isSymbol(tokens[i], '(')) depth++
    else if (isSymbol(tokens[i], ')') && --depth === 0) return i
  }
  return to
}

function shapeOf(token: Token): string {
  switch (token.kind) {
    case 'string':
      return token.isNational ? "N''" : "''"
    case 'number':
      return '0'
    case 'word':
      return /^@[^@]/.test(token.text) ? '@' : token.key
    case 'quoted':
      return `[${token.text}]`
    case 'binary':
    case 'symbol':
      return token.text
  }
}
