/**
 * Random transforms over random payloads: each ends with a request or with errors of a known kind, within its limits,
 * and what it sends is bounded.
 */
import assert from 'node:assert/strict'
import { requestTransform, responseTransform } from '@svc/schema'
import { parseExactly } from '../../engine/src/exact-json/index.ts'
import { finish } from '../../engine/src/long-work.ts'
import type { TemplateValue } from '../../engine/src/templates/index.ts'
import {
  applyRequestTransform,
  applyResponseTransform,
  compileRequestTransform,
  compileResponseTransform,
  requestContext,
} from '../../engine/src/transforms/index.ts'
import { type Random, seededRandom } from '../admin/random.ts'

export interface TemplateCounts {
  readonly refused: number
  readonly failed: number
  readonly applied: number
  /** Characters of the largest body. */
  readonly largest: number
  /** CPU of the most expensive transform, in milliseconds. */
  readonly slowest: number
}

/** Of everything that a transform makes: its limit, and the URL and headers with it. */
const mostCharacters = 70_000_000

const errorCodes = new Set([
  'Parse Error',
  'Lex Error',
  'Name Error',
  'Attribute Error',
  'Type Error',
  'Index Error',
  'Function Error',
  'Limit Error',
  'TransformationError',
])

export function fuzzTemplates(seed: number, count: number): TemplateCounts {
  const random = seededRandom(seed)
  const counts = { refused: 0, failed: 0, applied: 0, largest: 0, slowest: 0 }
  for (let i = 0; i < count; i++) {
    const text = randomPayload(random)
    const template = () => randomTemplate(random)
    const body = random.pick([
      { action: 'transform', template: template() },
      { action: 'transform', template: template() },
      { action: 'x_www_form_urlencoded', form_template: { a: inString(template()), [inString(template())]: 'b' } },
      { action: 'remove' },
    ])
    const declared = {
      version: 2,
      body,
      ...(random.chance(0.3) && { url: `{{$base_url}}/${inString(template())}` }),
      ...(random.chance(0.3) && { query_params: { a: inString(template()), [inString(template())]: null } }),
      ...(random.chance(0.2) && { query_params: inString(template()) }),
      ...(random.chance(0.3) && { request_headers: { add_headers: { 'X-A': inString(template()) } } }),
    }
    const before = process.cpuUsage()
    const outcome = tryTransform(declared, text)
    const { user, system } = process.cpuUsage(before)
    counts.slowest = Math.max(counts.slowest, (user + system) / 1000)
    counts[outcome.kind] += 1
    counts.largest = Math.max(counts.largest, outcome.characters)
    assert.ok(outcome.characters <= mostCharacters, JSON.stringify(declared))
  }
  return counts
}

/** A template as the inside of a string: what is outside of braces needs no escape then. */
const inString = (template: string): string => `{{ ${template} }}`

function tryTransform(declared: unknown, payload: string) {
  const request = compileRequestTransform(requestTransform.parse(declared))
  const response = compileResponseTransform(
    responseTransform.parse({ version: 2, body: (declared as { body: unknown }).body }),
  )
  if (request.kind === 'errors' || response.kind === 'errors') {
    const errors = request.kind === 'errors' ? request.errors : response.kind === 'errors' ? response.errors : []
    checkErrors(errors, declared)
    return { kind: 'refused', characters: 0 } as const
  }
  const session = new Map([['x-svc-role', 'user']])
  const body = parseExactly(payload) as TemplateValue
  const context = requestContext(body, session, 'http://hooks.test/a?old=1&flag')
  const made = finish(
    applyRequestTransform(request.transform, { method: 'POST', headers: [['X-Old', 'old']] }, context),
  )
  const read = finish(applyResponseTransform(response.transform, { status: 200, body }, session, context))
  if (read.kind === 'errors') checkErrors(read.errors, declared)
  if (made.kind === 'errors') {
    checkErrors(made.errors, declared)
    return { kind: 'failed', characters: 0 } as const
  }
  const { value } = made
  assert.ok(URL.canParse(value.url), `${value.url} of ${JSON.stringify(declared)}`)
  const text = value.body.kind === 'none' ? '' : value.body.text
  if (value.body.kind === 'json' && text.length < 1_000_000) parseExactly(text)
  const headers = value.headers.reduce((sum, [name, own]) => sum + name.length + own.length, 0)
  return { kind: 'applied', characters: text.length + value.url.length + headers } as const
}

function checkErrors(errors: readonly { readonly error_code: string }[], declared: unknown): void {
  assert.ok(errors.length > 0, JSON.stringify(declared))
  for (const { error_code } of errors)
    assert.ok(errorCodes.has(error_code), `${error_code}: ${JSON.stringify(declared)}`)
}

const atoms = [
  '$body',
  '$body.a',
  '$body?.a.b',
  "$body['a b']",
  '$body.list[0]',
  '$body.list[-1]',
  '$session_variables',
  '$query_params',
  '$base_url',
  '$request.body',
  '$response.status',
  'x',
  'i',
  'null',
  'true',
  'false',
  '0',
  '-1.5e300',
  '9007199254740993',
  '""',
  '"text {{ $body.a }} and {{x}}"',
  '"\\u0000\\ud800"',
  '{}',
  '[]',
  '$body.__proto__',
  '$body.constructor',
] as const

const functions = [
  'empty',
  'size',
  'inverse',
  'head',
  'tail',
  'toLower',
  'toUpper',
  'toTitle',
  'toCaseFold',
  'escapeUri',
  'toPairs',
  'fromPairs',
  'removeNulls',
  'concat',
  'not',
  'getSessionVariable',
  'constructor',
] as const

/** By the grammar, to some depth; and one of three spoilt by a cut, a token too many or a text repeated. */
function randomTemplate(random: Random): string {
  const text = expression(random, 1 + random.below(5))
  if (!random.chance(0.33)) return text
  const at = random.below(text.length + 1)
  const token = random.pick([
    '{{',
    '}}',
    '"',
    '(',
    ')',
    '[',
    ']',
    '{',
    '??',
    '== ',
    '\\',
    '#',
    '\0',
    '\ud800',
    'end',
    'range ',
  ])
  return random.pick([
    text.slice(0, at),
    text.slice(0, at) + token + text.slice(at),
    text.slice(0, at) + text.slice(at + 1 + random.below(3)),
    `${'['.repeat(random.below(2000))}${text}`,
    `{{ ${text} }} `.repeat(1 + random.below(50)),
  ])
}

function expression(random: Random, depth: number): string {
  if (depth === 0) return random.pick(atoms)
  const inner = () => expression(random, depth - 1)
  switch (random.below(9)) {
    case 0:
      return `(${inner()} ${random.pick(['==', '!=', '<', '>', '<=', '>=', '&&', '||', 'in', '??'])} ${inner()})`
    case 1:
      return `${random.pick(functions)}(${inner()})`
    case 2:
      return `{{ range i, x := ${random.pick(['$body', '$body.list', '$query_params', 'x'])} }} ${inner()} {{ end }}`
    case 3:
      return `{{ if ${inner()} }} ${inner()} {{ elif ${inner()} }} ${inner()} {{ else }} ${inner()} {{ end }}`
    case 4:
      return `[${inner()}, ${inner()}]`
    case 5:
      return `{"a": ${inner()}, "a b": ${inner()}, "__proto__": ${inner()} }`
    case 6:
      return `"s {{ ${inner()} }}{{ ${inner()} }}"`
    case 7:
      return `not ${inner()}`
    default:
      return inner()
  }
}

/** JSON text of every odd kind. */
function randomPayload(random: Random): string {
  const value = (depth: number): string => {
    switch (random.below(depth > 4 ? 6 : 9)) {
      case 0:
        return 'null'
      case 1:
        return random.pick(['true', 'false'])
      case 2:
        return random.pick(['0', '-0.0', '1e400', '12345678901234567890.5', '0.01', '1e-999', '7'])
      case 3:
        return JSON.stringify('å\u0000\ud83d\ude00"\\\n'.repeat(random.below(20)))
      case 4:
        return '"\\ud800"'
      case 5:
        return `"${'x'.repeat(random.below(500))}"`
      case 6:
        return `[${Array.from({ length: random.below(12) }, () => value(depth + 1)).join()}]`
      case 7:
        return `{"a":${value(depth + 1)},"a b":${value(depth + 1)},"list":[${Array.from({ length: random.below(20) }, () => value(5)).join()}]}`
      default:
        return `{"__proto__":${value(depth + 1)},"constructor":${value(depth + 1)},"a":{"b":${value(depth + 1)}}}`
    }
  }
  if (random.chance(0.02)) return `${'['.repeat(900)}1${']'.repeat(900)}`
  return random.chance(0.7) ? `{"a":${value(1)},"list":[${value(1)},${value(1)},3]}` : value(0)
}
