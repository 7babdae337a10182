import type { Json } from '@svc/schema'
import { randomOf } from './respell.ts'

const hostile: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  "'; DROP TABLE artist; --",
  '!include /etc/passwd',
  '\u0000',
  [],
  [[]],
  {},
  { a: null },
  [null],
  ['x', 'x'],
  { constructor: 1, toString: 2 },
  JSON.parse('{"__proto__": {"polluted": 1}}') as Json,
  { $and: [{ $or: 1 }] },
  '💥'.repeat(100),
]

/** The same JSON with one value, somewhere in it, replaced by something no client should send. */
export function damage(json: Json, seed: number): Json {
  const random = randomOf(seed)
  const places: (readonly (string | number)[])[] = []
  const visit = (value: Json, path: readonly (string | number)[]) => {
    places.push(path)
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value))
      visit(part as Json, [...path, Array.isArray(value) ? Number(key) : key])
  }
  visit(json, [])
  const place = places[Math.floor(random() * places.length)] ?? []
  const value = hostile[Math.floor(random() * hostile.length)] ?? null
  return replaceAt(json, place, value)
}

function replaceAt(json: Json, [step, ...rest]: readonly (string | number)[], value: Json): Json {
  if (step === undefined) return value
  if (Array.isArray(json))
    return json.map((part: Json, i: number) => (i === step ? replaceAt(part, rest, value) : part))
  return Object.fromEntries(
    Object.entries(json as object).map(([key, part]) => [
      key,
      key === step ? replaceAt(part as Json, rest, value) : (part as Json),
    ]),
  )
}
