import { type JsonObject, oidcTrustArgs, recordOf, recordsIn } from '@svc/schema'
import { accessScopes } from './access-scopes.ts'
import { filled, identifying } from './attributes-of.ts'
import { defineRecord, type FoundRecord } from './define-record.ts'
import { op } from './operation.ts'

/** Trust in an OIDC issuer's tokens (docs/access-tokens.md#oidc). */
export const oidcTrust = defineRecord({
  kind: 'OidcTrust',
  description: [
    'Whose tokens of an OIDC provider (GitHub, GitLab, Terraform Cloud, Pulumi, another one) are access tokens, and what they may do: CI without a stored secret.',
    'The provider needs the admin secret for it.',
  ].join(' '),
  inputs: {
    name: identifying('Its name, which the change log shows.'),
    issuer: filled('The issuer as its tokens say it in `iss`: `https://token.actions.githubusercontent.com`.'),
    audiences: { description: 'A token must be for one of these.', set: true },
    claims: {
      description:
        'What else a token has to say, all of it: patterns by the names of claims, in which `*` stands for any characters. They must name an owner, such as a repository.',
      type: { kind: 'map', of: { kind: 'list', of: { kind: 'string' } } },
    },
    scopes: accessScopes,
    single_use: { description: 'Whether a token counts for one request only; it needs a `jti` then.', default: false },
  },
  schema: oidcTrustArgs,
  normal: canonicalTrust,
  example: ['ci-plan'],
  store: {
    create: (_, trust) => op('create_oidc_trust', trust),
    createdId: (_, { name = null }) => String(name),
    update: (id, trust) => (trust.name === id ? op('update_oidc_trust', trust) : null),
    read: () => op('list_oidc_trusts', {}),
    found: (answer) => recordsIn(recordOf(answer).oidc_trusts).map(foundTrust),
    delete: (name) => op('drop_oidc_trust', { name }),
  },
})

/** One pattern may stand without a list. */
function canonicalTrust({ claims, single_use: isSingle = false, ...others }: JsonObject): JsonObject {
  const lists = Object.entries(recordOf(claims)).map(([name, one]) => [name, [one].flat()] as const)
  return { ...others, claims: Object.fromEntries(lists), single_use: isSingle }
}

const foundTrust = ({ created_by: _, created_at: __, ...trust }: JsonObject): FoundRecord => ({
  id: String(trust.name),
  status: 'valid',
  value: canonicalTrust(trust),
})
