/** Access tokens (docs/access-tokens.md): credentials in addition to the admin secret that may do less. */
import { type ObjectType, objectTypes } from '../object-kinds.ts'
import { checked, choose, integer, name, nonEmpty, oneOf, optional, record, text, type Value } from '../shape.ts'

const strict = { unknown: 'refuse' } as const

/** What a token may do. Limits that are left out limit nothing; all of one scope apply together. */
export const accessScope = checked(
  record(
    {
      /**
       * `read`: export, compare and list; `plan`: that and dry runs; `change`: metadata operations; `sql`: run_sql;
       * `events`: logs, redelivery and one-off events; `explain`: the SQL of a GraphQL request; `break_glass`: what
       * other clients own although it is protected.
       */
      allow: oneOf('read', 'plan', 'change', 'sql', 'events', 'explain', 'break_glass'),
      /** `change`, `sql`, `events`: objects in these sources. */
      sources: optional(nonEmpty(text)),
      /** `change`: objects of these kinds. */
      kinds: optional(nonEmpty(oneOf<ObjectType>(...objectTypes))),
      /** `change`: what is of these roles. `explain`: as these roles. */
      roles: optional(nonEmpty(text)),
      /** `change`: of requests that write for one of these (X-Svc-Owner). */
      owners: optional(nonEmpty(text)),
    },
    strict,
  ),
  ({ allow, sources, kinds, roles, owners }) =>
    allow === 'change' ||
    (kinds === undefined &&
      owners === undefined &&
      (allow === 'explain' || roles === undefined) &&
      (allow === 'sql' || allow === 'events' || sources === undefined)),
  '"change" takes "sources", "kinds", "roles" and "owners", "sql" and "events" take "sources", "explain" takes "roles", and others take no limit',
)
export type AccessScope = Value<typeof accessScope>

const seconds = (least: number) =>
  checked(integer, (value) => value >= least && value <= 315_360_000, `expected ${least} to 315,360,000 seconds`)

/** A value that its maker has chosen; the characters are those of base64url. */
const value = checked(
  text,
  (given) => /^svct_[A-Za-z0-9_-]{40,200}$/.test(given),
  'expected "svct_" and 40 to 200 random letters, digits, - and _',
)

const time = checked(
  text,
  (given) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(given) && !Number.isNaN(Date.parse(given)),
  'expected a time in UTC, such as 2030-01-31T00:00:00Z',
)

/**
 * create_access_token. With neither `expires_in` (seconds) nor `expires_at` it is valid until it is revoked; without
 * `value` the engine chooses one.
 */
export const createAccessTokenArgs = checked(
  record(
    {
      name: checked(name, (value) => value.length <= 100, 'a name has at most 100 characters'),
      scopes: nonEmpty(accessScope),
      expires_in: optional(seconds(1)),
      expires_at: optional(time),
      value: optional(value),
    },
    strict,
  ),
  (args) => args.expires_in === undefined || args.expires_at === undefined,
  'give "expires_in" or "expires_at", not both',
)

/**
 * rotate_access_token: a new value, which without `expires_in` is valid as long as the former one was from when it was
 * made; the former ones are valid for `overlap` seconds more (none when left out).
 */
export const rotateAccessTokenArgs = record(
  { name, overlap: optional(seconds(0)), expires_in: optional(seconds(1)) },
  strict,
)

/** update_access_token: other scopes, with `value` another value, with `expires_at` another expiry (`never`: until it is revoked). */
export const updateAccessTokenArgs = record(
  {
    name,
    scopes: nonEmpty(accessScope),
    value: optional(value),
    expires_at: optional(choose<string>((given) => (given === 'never' ? text : time), [''])),
  },
  strict,
)

export const revokeAccessTokenArgs = record({ name }, strict)
