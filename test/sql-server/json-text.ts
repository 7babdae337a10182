/** JSON as the server's functions see it: texts of numbers are kept digit for digit. */
import { ServerError } from './server-error.ts'

export type Json =
  | { readonly kind: 'object'; readonly raw: string; readonly members: readonly (readonly [string, Json])[] }
  | { readonly kind: 'array'; readonly raw: string; readonly items: readonly Json[] }
  | { readonly kind: 'string'; readonly raw: string; readonly text: string }
  | { readonly kind: 'number' | 'true' | 'false' | 'null'; readonly raw: string }

const SCALAR = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const STRING = /"(?:[^"\\]|\\.)*"/sy

/** Throws 13609 for what is no JSON. */
export function parseJson(text: string): Json {
  let at = 0
  const fail = (): ServerError =>
    new ServerError(
      13609,
      `JSON text is not properly formatted. Unexpected character '${text[at] ?? '.'}' is found at position ${at}.`,
    )
  const space = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) at += found.length
    return found
  }
  const string = (): Extract<Json, { kind: 'string' }> => {
    const raw = match(STRING)
    if (raw === null) throw fail()
    return { kind: 'string', raw, text: JSON.parse(raw.replaceAll(/[\n\r\t]/g, ' ')) }
  }
  const separated = (close: string, one: () => void) => {
    at++
    space()
    if (text[at] === close) return void at++
    for (;;) {
      one()
      space()
      if (text[at] === close) return void at++
      if (text[at] !== ',') throw fail()
      at++
      space()
    }
  }
  const value = (): Json => {
    space()
    const start = at
    if (text[at] === '{') {
      const members: [string, Json][] = []
      separated('}', () => {
        const name = string().text
        space()
        if (text[at] !== ':') throw fail()
        at++
        members.push([name, value()])
      })
      return { kind: 'object', raw: text.slice(start, at), members }
    }
    if (text[at] === '[') {
      const items: Json[] = []
      separated(']', () => items.push(value()))
      return { kind: 'array', raw: text.slice(start, at), items }
    }
    if (text[at] === '"') return string()
    const raw = match(SCALAR)
    if (raw === null) throw fail()
    return { kind: raw === 'true' || raw === 'false' || raw === 'null' ? raw : 'number', raw }
  }
  const result = value()
  space()
  // a scalar alone is no JSON for the server
  if (at < text.length || (result.kind !== 'object' && result.kind !== 'array')) throw fail()
  return result
}

/** What a path like `$."query"."a"[0]` leads to, null for nothing. */
export function atPath(json: Json, written: string): Json | null {
  const path = written.trim().replace(/^(lax|strict)\s+/i, '')
  if (!path.startsWith('$'))
    throw new ServerError(
      13607,
      `JSON path is not properly formatted. Unexpected character '${path[0] ?? ''}' is found at position 0.`,
    )
  let found: Json | null = json
  const step = /\.(?:"((?:[^"\\]|\\.)*)"|([\p{L}_$][\p{L}\p{N}_$]*))|\[(\d+)\]/uy
  for (let at = 1; at < path.length; at = step.lastIndex) {
    step.lastIndex = at
    const part = step.exec(path)
    if (!part)
      throw new ServerError(
        13607,
        `JSON path is not properly formatted. Unexpected character '${path[at]}' is found at position ${at}.`,
      )
    const [, quoted, plain, index] = part
    const name = quoted === undefined ? plain : JSON.parse(`"${quoted}"`)
    if (found === null) continue
    if (index !== undefined) found = found.kind === 'array' ? (found.items[Number(index)] ?? null) : null
    else found = found.kind === 'object' ? (found.members.find(([key]) => key === name)?.[1] ?? null) : null
  }
  return found
}

/** The text of a scalar as JSON_VALUE returns it; null of null, objects and arrays. */
export function scalarText(json: Json): string | null {
  if (json.kind === 'string') return json.text
  return json.kind === 'number' || json.kind === 'true' || json.kind === 'false' ? json.raw : null
}

/** A JSON string as FOR JSON writes it: a solidus is escaped. */
export const jsonString = (text: string): string => JSON.stringify(text).replaceAll('/', '\\/')
