import { equalJson, isRecord, type JsonObject, recordOf, recordsIn, updateAccessTokenArgs } from '@svc/schema'
import { accessScopes } from './access-scopes.ts'
import { identifying } from './attributes-of.ts'
import { defineRecord, type FoundRecord } from './define-record.ts'
import { op } from './operation.ts'

/** A credential in addition to the admin secret (docs/access-tokens.md). */
export const accessToken = defineRecord({
  kind: 'AccessToken',
  description: [
    'A credential in addition to the admin secret that may do less: a plan in CI, a drift check, an apply of some roles.',
    'Its value is chosen where it is declared (`"svct_"` and 40 random characters at least), is sent once, and is in no state and no plan; the engine keeps its hash.',
    'It holds until it is deleted, or until it expires; reading one that has expired says so. The provider needs the admin secret for it.',
  ].join(' '),
  inputs: {
    name: identifying('Its name, which the change log shows.'),
    scopes: accessScopes,
    value_wo: {
      description:
        'Its value: `svct_` and 40 to 200 random letters, digits, `-` and `_`. Sent when it is made, and when `value_wo_version` changes; the one before does not hold any more then: for two at once make a second token next to it.',
      type: 'string',
      sensitive: true,
      writeOnly: true,
      at: 'value',
    },
    value_wo_version: {
      description: 'Any number; a change sends `value_wo` again.',
      at: null,
      type: 'integer',
      optional: true,
    },
    expires_at: {
      description:
        'When it expires: a time in UTC, `2030-01-31T00:00:00Z`; never when left out. A later time makes one that has expired hold again; send another value with it.',
      optional: true,
    },
  },
  schema: updateAccessTokenArgs,
  example: ['ci-apply'],
  store: {
    create: (_, { value = '', ...token }) => op('create_access_token', { ...token, value }),
    createdId: (answer) => (isRecord(answer) && typeof answer.name === 'string' ? answer.name : null),
    update(id, token, before) {
      if (token.name !== id) return null
      // an older engine does not know this argument
      const isForever = token.expires_at === undefined && before.expires_at !== undefined
      return op('update_access_token', { ...token, ...(isForever && { expires_at: 'never' }) })
    },
    read: () => op('list_access_tokens', {}),
    found: (answer) =>
      recordsIn(recordOf(answer).access_tokens)
        .filter(({ superseded }) => !equalJson(superseded ?? null, true))
        .map(foundToken),
    delete: (name) => op('revoke_access_token', { name }),
    warning: ({ status, value }) =>
      status === 'expired'
        ? `It expired at ${value.expires_at} and is refused: set a later expires_at, with another value_wo and value_wo_version.`
        : null,
  },
})

const foundToken = ({ name = null, scopes = [], expires_at = null, expired }: JsonObject): FoundRecord => ({
  id: String(name),
  status: expired === true ? 'expired' : 'valid',
  value: { name, scopes, ...(expires_at !== null && { expires_at }) },
})
