/**
 * Splits a script into its statements, for run_sql without a transaction: PostgreSQL runs several statements of one
 * message in a transaction of their own, in which CREATE INDEX CONCURRENTLY, VACUUM and the like are refused.
 */
export function splitScript(script: string): readonly string[] {
  const statements: string[] = []
  const words: string[] = []
  let begun = 0
  let parentheses = 0
  let bodies = 0
  const end = (at: number) => {
    if (words.length > 0) statements.push(script.slice(begun, at).trim())
    begun = at + 1
    words.length = parentheses = bodies = 0
  }
  const tokens = new RegExp(token, 'g')
  for (let match = tokens.exec(script); match; match = tokens.exec(script)) {
    const { 0: token, index } = match
    if (token === '/*') tokens.lastIndex = endOfComment(script, index)
    if (isGap(token)) continue
    if (token === ';' && parentheses === 0 && bodies === 0) {
      end(index)
      continue
    }
    const word = token.toUpperCase()
    if (words.length < LONGEST_BEGINNING) words.push(word)
    if (token === '(') parentheses++
    if (token === ')') parentheses--
    // a routine's body in SQL: BEGIN ATOMIC … END, with CASE … END inside
    if (makesRoutine(words) && (word === 'BEGIN' || (word === 'CASE' && bodies > 0))) bodies++
    if (word === 'END' && bodies > 0) bodies--
  }
  end(script.length)
  return statements
}

/** CREATE OR REPLACE FUNCTION */
const LONGEST_BEGINNING = 4

const makesRoutine = ([first, second, third, fourth]: readonly string[]): boolean =>
  first === 'CREATE' && [second, second === 'OR' && third === 'REPLACE' ? fourth : ''].some(isRoutine)

const isRoutine = (word: string | undefined) => word === 'FUNCTION' || word === 'PROCEDURE'

const isGap = (token: string) => token.startsWith('--') || token.startsWith('/*') || /^\s/.test(token)

/** Returns where a comment ends. Comments nest; one that is never closed reaches to the end of the script. */
function endOfComment(script: string, from: number): number {
  let open = 0
  for (const { 0: mark, index } of script.slice(from).matchAll(/\/\*|\*\//g)) {
    open += mark === '/*' ? 1 : -1
    if (open === 0) return from + index + mark.length
  }
  return script.length
}

/**
 * White space, comments (of the nesting kind their beginning), texts with and without escapes, names, dollar quotes,
 * words; anything else a character at a time. What is never closed reaches to the end, as in PostgreSQL.
 */
const token = [
  /\s+/,
  /--[^\n\r]*/,
  /\/\*/,
  /\b[eE]'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*(?:'|$)/,
  /'[^']*(?:''[^']*)*(?:'|$)/,
  /"[^"]*(?:""[^"]*)*(?:"|$)/,
  /\$(?<tag>(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?)\$[\s\S]*?(?:\$\k<tag>\$|$)/,
  /[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*/,
  /[\s\S]/,
]
  .map(({ source }) => source)
  .join('|')
