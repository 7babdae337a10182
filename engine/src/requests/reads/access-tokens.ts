/** The operations on access tokens (docs/access-tokens.md): only with the admin secret, and no part of metadata. */
import {
  createAccessTokenArgs,
  ignoredArgs,
  type Json,
  revokeAccessTokenArgs,
  rotateAccessTokenArgs,
  updateAccessTokenArgs,
} from '@svc/schema'
import { newAccessToken } from '../../auth/index.ts'
import type { Path } from '../../errors.ts'
import { success } from '../../metadata/index.ts'
import { defineRead, type ReadContext } from '../read-operation.ts'

const shared = { effects: 'lasting', scope: null } as const

const createdBy = ({ session, facts }: ReadContext): string => facts.actor ?? session.role

const notThere = (name: string, path: Path) =>
  path.error('not-exists', `access token with name "${name}" does not exist`, 'name')

/** Throws validation-failed for a time that is over. */
function refusePast(expiresAt: string | undefined, path: Path): void {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now())
    throw path.error(
      'validation-failed',
      `"expires_at" is past (${expiresAt}): the token would be refused`,
      'expires_at',
    )
}

/** The value of a token is in this answer and nowhere else. */
export const createAccessToken = defineRead({
  ...shared,
  type: 'create_access_token',
  args: createAccessTokenArgs,
  async answer({ name, scopes, expires_in, expires_at, value: chosen }, context): Promise<Json> {
    const { path } = context
    refusePast(expires_at, path)
    const { value, id, hash } = newAccessToken(chosen)
    const token = { id, name, hash, expires: expires_in ?? expires_at ?? null, createdBy: createdBy(context) }
    const stored = await context.served.store.accessTokens.create(token, scopes)
    if (stored) return { name, id, ...(chosen === undefined && { token: value }), expires_at: stored[0] }
    throw path.error('already-exists', `access token with name "${name}" already exists`, 'name')
  },
})

/** A new value with the same scopes. */
export const rotateAccessToken = defineRead({
  type: 'rotate_access_token',
  ...shared,
  args: rotateAccessTokenArgs,
  async answer({ name, overlap = 0, expires_in: expires = null }, context): Promise<Json> {
    const { value, id, hash } = newAccessToken()
    const token = { id, name, hash, expires, createdBy: createdBy(context) }
    const stored = await context.served.store.accessTokens.rotate(token, overlap)
    if (stored) return { name, id, token: value, expires_at: stored[0] }
    throw notThere(name, context.path)
  },
})

/** Changes scopes; with a value, the former value is no longer valid. */
export const updateAccessToken = defineRead({
  type: 'update_access_token',
  ...shared,
  args: updateAccessTokenArgs,
  async answer({ name, scopes, value, expires_at }, { served, path }) {
    refusePast(expires_at, path)
    const changed = {
      value: value === undefined ? null : newAccessToken(value),
      expiresAt: expires_at ?? null,
    }
    if (await served.store.accessTokens.update(name, scopes, changed)) return success
    throw notThere(name, path)
  },
})

export const revokeAccessToken = defineRead({
  type: 'revoke_access_token',
  ...shared,
  args: revokeAccessTokenArgs,
  async answer({ name }, { served, path }) {
    if (await served.store.accessTokens.revoke(name)) return success
    throw notThere(name, path)
  },
})

export const listAccessTokens = defineRead({
  type: 'list_access_tokens',
  effects: 'none',
  scope: null,
  args: ignoredArgs,
  answer: async (_, { served }) => ({ access_tokens: await served.store.accessTokens.list() }),
})
