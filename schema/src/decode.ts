import { checkDepth, depthLimit } from './check-depth.ts'
import { isRawNumber } from './exact-json/raw-number.ts'
import type { Schema } from './shape.ts'

export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** The value at fault, where the contract answers at something around it. */
  readonly at?: readonly (string | number)[]
  /** Keys of the value at `path` that it must not have, where that is the issue. */
  readonly unknown?: readonly string[]
}

export type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issue: Issue }

/**
 * Reads JSON by a schema. Only the first problem is reported, with its path as reference/metadata-requests#paths wants
 * it: a missing key at the object that lacks it, anything else at the value itself.
 */
export function decode<T>(schema: Schema<T>, json: unknown, at: readonly (string | number)[] = []): Decoded<T> {
  const deep = checkDepth(json)
  if (deep) return { ok: false, issue: { path: at, message: `nested more than ${depthLimit} levels deep` } }
  return decodeShallow(schema, json, at)
}

/** The same for a value whose depth is known to be harmless. */
export function decodeShallow<T>(schema: Schema<T>, json: unknown, at: readonly (string | number)[] = []): Decoded<T> {
  const result = schema.safeParse(json, { reportInput: true })
  if (result.success) return { ok: true, value: result.data }
  const issue = firstIssue(result.error.issues)
  return { ok: false, issue: contractIssue(issue, json, at) }
}

interface ZodIssue {
  readonly code?: string | undefined
  readonly input?: unknown
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: unknown
  readonly values?: readonly unknown[]
  readonly errors?: readonly (readonly ZodIssue[])[]
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** Of a union, the branch that got furthest into the value is the one that was meant. */
function firstIssue(issues: readonly ZodIssue[]): ZodIssue {
  const [first = { path: [], message: 'invalid' }] = issues
  if (first.code !== 'invalid_union' || !first.errors) return first
  const branches = first.errors.map((branch) => firstIssue(branch)).sort((a, b) => b.path.length - a.path.length)
  const best = branches[0]
  if (!best || best.path.length === 0) return first
  return { ...best, path: [...first.path, ...best.path] }
}

function contractIssue(issue: ZodIssue, json: unknown, at: readonly (string | number)[]): Issue {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  const key = path.at(-1)
  const value = issue.input ?? valueAt(json, path)
  if (value === undefined && typeof key === 'string' && valueAt(json, path.slice(0, -1)) !== undefined)
    return { path: [...at, ...path.slice(0, -1)], message: `key "${key}" not found` }
  const above = levelsAbove(issue)
  const answered = above === 0 ? path : path.slice(0, -above)
  return {
    path: [...at, ...answered],
    message: messageOf(issue, value),
    ...(above > 0 && { at: [...at, ...path] }),
  }
}

/** How far above the value at fault the contract answers (`checked`). */
const levelsAbove = ({ params }: ZodIssue): number => (typeof params?.above === 'number' ? params.above : 0)

function valueAt(json: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    json,
  )
}

function messageOf(issue: ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_type') return `expected ${kindName(String(issue.expected))}, encountered ${kindOf(value)}`
  if (issue.code === 'invalid_value' && issue.values)
    return `expected ${issue.values.map((choice) => JSON.stringify(choice)).join(' or ')}, encountered ${shown(value)}`
  return issue.message
}

const kindName = (expected: string) => ({ int: 'integer', array: 'list', record: 'object' })[expected] ?? expected

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (isRawNumber(value)) return `the number ${value.rawJSON}`
  if (Array.isArray(value)) return 'list'
  return typeof value
}

function shown(value: unknown): string {
  const written = typeof value === 'object' && value !== null ? kindOf(value) : JSON.stringify(value)
  return written.length > 80 ? `${written.slice(0, 80)}…` : written
}
