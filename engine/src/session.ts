import type { AccessScope } from '@svc/schema'

/** What the holder of an access token may do (docs/access-tokens.md). */
export interface Access {
  /** Of the token, or of the trusts in its OIDC issuer that it fits. */
  readonly name: string
  /** The actor, for people: proved, unlike what a request says of itself. */
  readonly actor: string
  readonly scopes: readonly AccessScope[]
  /** Of an access token that expires; an OIDC token is for one run. */
  readonly expiresAt?: string
}

/**
 * The role and session variables of a request: made by auth/, read by everything that answers
 * (reference/authentication#who-asks).
 */
export interface Session {
  readonly role: string
  /** Lower-case names with the header prefix (x-svc-), that of the role among them; never the admin secret. */
  readonly variables: ReadonlyMap<string, string>
  /**
   * Whether the request has the header for permissions marked `backend_only`, and may use them
   * (reference/permissions#effect-on-the-schema, reference/authentication#who-asks).
   */
  readonly backendOnly: boolean
  /** The header prefix where it is another than `ownPrefix`. */
  readonly prefix?: string
  /** Of a request by an access token: it may do this and nothing else. */
  readonly access?: Access
}

export const adminRole = 'admin'

/** How names of session variables and of the engine's own headers begin, in lower case. */
export const ownPrefix = 'x-svc-'

/**
 * The name that a session variable has inside and in whatever is sent, or null: no such name. Both `X-Svc-` and the
 * configured `prefix` (lower case, --header-prefix) begin one, in any case; the configured one is what it has then.
 */
export function variableName(text: string, prefix: string = ownPrefix): string | null {
  const name = text.toLowerCase()
  if (name.startsWith(prefix)) return name
  return name.startsWith(ownPrefix) ? prefix + name.slice(ownPrefix.length) : null
}

/** Of a session: a prefix is named where it is another than ours. */
export const withPrefix = (prefix: string = ownPrefix): Pick<Session, 'prefix'> =>
  prefix === ownPrefix ? {} : { prefix }

/** Settings that triggers of a transaction find the session in: svc.user, and hasura.user where X-Hasura- is configured. */
export function userSettings({ variables, prefix }: Session): readonly (readonly [string, string])[] {
  const text = JSON.stringify(Object.fromEntries(variables))
  return userSettingNames(prefix).map((name) => [name, text] as const)
}

const userSettingNames = (prefix: string = ownPrefix): readonly string[] => {
  const own = prefix.replace(/^x-/, '').replace(/-$/, '').replaceAll('-', '_')
  return own === 'svc' ? ['svc.user'] : ['svc.user', `${own}.user`]
}
