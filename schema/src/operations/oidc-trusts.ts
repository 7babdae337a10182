/** Trust in the tokens of OIDC providers (docs/access-tokens.md#oidc): whose tokens allow what. */
import { boolean, checked, choose, filledMapOf, name, nonEmpty, optional, record, text, type Value } from '../shape.ts'
import { accessScope } from './access-tokens.ts'

const strict = { unknown: 'refuse' } as const

/** One text or several, of which one has to fit; `*` stands for any characters. */
const pattern = choose<string | readonly string[]>(
  (value) => (typeof value === 'string' ? text : nonEmpty(text)),
  ['', []],
)

const issuer = checked(
  text,
  (value) =>
    value.length <= 500 &&
    /^(https:\/\/[^\s/?#@]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/.test(value) &&
    URL.canParse(value),
  'an issuer is a URL of https (http on this machine alone) without query and password',
)

/** Claims that say whose token it is, and the form of a pattern that names an owner. */
type Owners = Readonly<Record<string, RegExp>>
const named = /^[^*]+/

/** Providers that issue tokens to everyone: a rule has to say for whom. */
const shared: Readonly<Record<string, Owners>> = {
  'https://token.actions.githubusercontent.com': {
    sub: /^repo:[^*/]+\//,
    repository: /^[^*/]+\//,
    repository_id: /^[^*]+$/,
    repository_owner: /^[^*]+$/,
    repository_owner_id: /^[^*]+$/,
  },
  'https://gitlab.com': {
    sub: /^project_path:[^*/]+\//,
    project_path: /^[^*/]+\//,
    project_id: /^[^*]+$/,
    namespace_path: /^[^*]+$/,
    namespace_id: /^[^*]+$/,
  },
  'https://app.terraform.io': {
    sub: /^organization:[^*:]+:/,
    terraform_organization_name: /^[^*]+$/,
    terraform_organization_id: /^[^*]+$/,
    terraform_workspace_id: /^[^*]+$/,
  },
  'https://api.pulumi.com/oidc': { sub: /^pulumi:deploy:org:[^*:]+:/ },
  'https://api.pulumi.com/oidc/v2': {
    'https://pulumi.com/org': /^[^*]+$/,
    'https://pulumi.com/org_id': /^[^*]+$/,
    'https://pulumi.com/root_env_id': /^[^*]+$/,
  },
}

interface Rule {
  readonly issuer: string
  readonly claims: Readonly<Record<string, string | readonly string[]>>
}

/** Some claim must say whose tokens are meant: `{"ref": "refs/heads/main"}` are those of all repositories of GitHub. */
function namesOwner({ issuer, claims }: Rule): boolean {
  const owners = Object.hasOwn(shared, issuer) ? shared[issuer] : undefined
  return Object.entries(claims).some(([claim, patterns]) => {
    const form = owners === undefined ? named : Object.hasOwn(owners, claim) ? owners[claim] : undefined
    return form !== undefined && [patterns].flat().every((one) => form.test(one))
  })
}

/** create_oidc_trust; update_oidc_trust puts another in its place. */
export const oidcTrustArgs = checked(
  record(
    {
      name: checked(name, (value) => value.length <= 100, 'a name has at most 100 characters'),
      /** As tokens say it in `iss`. */
      issuer,
      /** One of them must be in `aud`. */
      audiences: nonEmpty(name),
      /** What else a token has to say: all of them. */
      claims: filledMapOf(pattern),
      scopes: nonEmpty(accessScope),
      /** A token counts once: it must have a `jti`. */
      single_use: optional(boolean),
    },
    strict,
  ),
  namesOwner,
  'the claims must say whose tokens are trusted: none of them names an owner',
)
export type OidcTrustArgs = Value<typeof oidcTrustArgs>

export const dropOidcTrustArgs = record({ name }, strict)
