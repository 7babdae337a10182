/** What single values must be so that an engine can serve them. */
import type { Json } from '../json.ts'
import { isEventTriggerName } from '../objects/event-trigger.ts'
import { isRecord } from '../shape.ts'
import type { Check } from './rule.ts'

/** What PostgreSQL's `integer` and timers of 32 bits hold. */
const largest = 2 ** 31 - 1

/** A number from `least` to the largest that databases and timers hold. */
export const atLeast =
  (least: number): Check =>
  (value) => {
    if (typeof value !== 'number') return null
    if (value < least) return `must be at least ${least}`
    return value > largest ? `must be at most ${largest}` : null
  }

export const within =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && (value < least || value > most) ? `must be from ${least} to ${most}` : null

/** A number above zero, fractions included. */
export const positive: Check = (value) => {
  if (typeof value !== 'number') return null
  if (value <= 0) return 'must be above 0'
  return value > largest ? `must be at most ${largest}` : null
}

export const oneOfTexts =
  (...choices: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && !choices.includes(value) ? `must be one of ${choices.join(', ')}` : null

const textCheck =
  (isFine: (text: string) => boolean, message: string): Check =>
  (value) =>
    typeof value === 'string' && !isFine(value) ? message : null

/** A template may stand for any part of it. */
const isTemplated = (text: string) => text.includes('{{')

/** An address that requests can be sent to. */
export const webAddress = textCheck(
  (text) => isTemplated(text) || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
  'must be an address that begins with http:// or https://, or name a variable of the engine: {{SHOP_URL}}/orders',
)

/** A connection string, as a URI or as `host=… dbname=…`. */
export const databaseAddress = textCheck(
  (text) => isTemplated(text) || /^postgres(ql)?:\/\//.test(text) || /^\s*[a-z_]+\s*=/.test(text),
  'must be a connection string such as postgres://user:password@host:5432/database',
)

/** ODBC's, in which a server must be named. */
export const odbcString = textCheck(
  (text) => isTemplated(text) || /(^|;)\s*(server|address|addr|network address|data source)\s*=\s*[^;\s]/i.test(text),
  'must be a connection string such as Server=tcp:db,1433;Database=shop;Uid=app;Pwd=…',
)

export const withoutSpaces = textCheck((text) => !/\s/.test(text), 'must be without spaces')

/** A whole number from zero to the largest that timers hold. */
export const countOf: Check = (value) =>
  typeof value === 'number' && !Number.isInteger(value) ? 'must be a whole number' : atLeast(0)(value)

export const environmentName = textCheck(
  (text) => /^[^\s=\0]+$/.test(text),
  'must be the name of a variable of the environment, without spaces and =',
)

const isToken = (text: string) => /^[!#$%&'*+.^_`|~\w-]+$/.test(text)

export const headerName = textCheck(isToken, 'must be the name of an HTTP header: letters, digits and dashes')

export const headerValue = textCheck(
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header cannot hold
  (text) => !/[\0-\x08\x0a-\x1f\x7f]/.test(text),
  'must hold no line breaks and no other control characters',
)

export const httpMethod = textCheck((text) => isTemplated(text) || isToken(text), 'must be an HTTP method such as POST')

const isGraphqlName = (text: string) => /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(text)

/** A name that a schema may declare: two underscores at its begin are introspection's. */
export const graphqlIdentifier = textCheck(
  isGraphqlName,
  'must be a name of GraphQL: letters, digits and _, no digit first, and not __ at its begin',
)

export const graphqlNamePart = textCheck(
  (text) => /^[_0-9A-Za-z]+$/.test(text),
  'must be a part of a name of GraphQL: letters, digits and _',
)

export const enumValue = textCheck(
  (text) => !['true', 'false', 'null'].includes(text),
  'is no name of an enum value: GraphQL has it for something else',
)

/** Roles come in a header, whose spaces at both ends are no part of it. */
export const roleName = textCheck(
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header cannot hold
  (text) => text.trim() === text && !/[\0-\x1f\x7f]/.test(text),
  'must be a role that a header can name: without spaces at its begin and end, and without control characters',
)

/** The same, where the role that may do everything has nothing to be allowed. */
export const allowedRole: Check = (value) =>
  value === 'admin' ? 'the role admin may do everything already' : roleName(value)

export const eventTriggerNameCheck = textCheck(
  isEventTriggerName,
  'only alphanumeric and underscore and hyphens allowed for name',
)

export const hostName = textCheck(
  (text) => /^[^\s/?#@]+$/.test(text),
  'must be the name of a host, without scheme, port and path',
)

export const portSuffix = textCheck((text) => /^:?\d+$/.test(text) || text === '', 'must be a port, such as 8443')

/** The same of each item, where the value is a list. */
export const eachOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) ? ((value as readonly Json[]).map(check).find((message) => message !== null) ?? null) : null

/** No two items of a list have the same value under a key. */
export const distinct =
  (key: string): Check =>
  (value) => {
    if (!Array.isArray(value)) return null
    const names = (value as readonly Json[]).map((item) => (isRecord(item) ? item[key] : undefined))
    const twice = names.find((name, i) => name !== undefined && names.indexOf(name) !== i)
    return twice === undefined ? null : `has two with the ${key} "${String(twice)}"`
  }
