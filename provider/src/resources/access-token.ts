import { decodeShallow, equalJson, type Json, type JsonObject, updateAccessTokenArgs } from '@svc/schema'
import { accessScopes } from './access-scopes.ts'
import { identifying } from './attributes-of.ts'
import { defineRecord, type FoundRecord } from './define-record.ts'
import { isObject } from './in-table.ts'
import { op } from './operation.ts'

/** A credential beside the admin secret (docs/access-tokens.md). */
export const accessToken = defineRecord({
  kind: 'AccessToken',
  description: [
    'A credential beside the admin secret that may do less: a plan in CI, a drift check, an apply of some roles.',
    'Its value is chosen where it is declared (`"svct_"` and 40 random characters at least), is sent once, and is in no state and no plan; the engine keeps its hash.',
    'It holds until it is deleted. The provider needs the admin secret for it.',
  ].join(' '),
  inputs: {
    name: identifying('Its name, which the change log shows.'),
    scopes: accessScopes,
    value_wo: {
      description:
        'Its value: `svct_` and 40 to 200 random letters, digits, `-` and `_`. Sent when it is made, and when `value_wo_version` changes; the one before does not hold any more then.',
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
  },
  schemas: [updateAccessTokenArgs],
  example: ['ci-apply'],
  store: {
    canonical(declared) {
      const decoded = decodeShallow(updateAccessTokenArgs, declared)
      return decoded.ok
        ? { ok: true, value: decoded.value as JsonObject }
        : { ok: false, message: decoded.issue.message, path: decoded.issue.at ?? decoded.issue.path }
    },
    faults: () => [],
    create: (_, { value = '', ...token }) => op('create_access_token', { ...token, value }),
    createdId: (answer) => (isObject(answer) && typeof answer.name === 'string' ? answer.name : null),
    update: (id, token) => (token.name === id ? op('update_access_token', token) : null),
    read: () => op('list_access_tokens', {}),
    found: (answer) =>
      (isObject(answer) && Array.isArray(answer.access_tokens) ? (answer.access_tokens as readonly Json[]) : [])
        .filter(isObject)
        .filter(({ superseded }) => !equalJson(superseded ?? null, true))
        .map(foundToken),
    delete: (name) => op('revoke_access_token', { name }),
    remarks: () => [],
    isOver: () => false,
  },
})

const foundToken = ({ name = null, scopes = [] }: JsonObject): FoundRecord => ({
  id: String(name),
  status: 'valid',
  value: { name, scopes },
})
