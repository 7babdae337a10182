/**
 * The operations on trusts in OIDC issuers (docs/access-tokens.md#oidc): only with the admin secret, and no part of
 * metadata.
 */
import { dropOidcTrustArgs, ignoredArgs, oidcTrustArgs } from '@svc/schema'
import type { Path } from '../../errors.ts'
import { success } from '../../metadata/index.ts'
import { defineRead } from '../read-operation.ts'

const shared = { effects: 'lasting', scope: null } as const

const notThere = (name: string, path: Path) =>
  path.error('not-exists', `OIDC trust with name "${name}" does not exist`, 'name')

export const createOidcTrust = defineRead({
  ...shared,
  type: 'create_oidc_trust',
  args: oidcTrustArgs,
  async answer(trust, { served, session, facts, path }) {
    if (await served.store.oidcTrusts.create(trust, facts.actor ?? session.role)) return success
    throw path.error('already-exists', `OIDC trust with name "${trust.name}" already exists`, 'name')
  },
})

/** Puts another trust in the place of the one of its name. */
export const updateOidcTrust = defineRead({
  ...shared,
  type: 'update_oidc_trust',
  args: oidcTrustArgs,
  async answer(trust, { served, path }) {
    if (await served.store.oidcTrusts.update(trust)) return success
    throw notThere(trust.name, path)
  },
})

export const dropOidcTrust = defineRead({
  ...shared,
  type: 'drop_oidc_trust',
  args: dropOidcTrustArgs,
  async answer({ name }, { served, path }) {
    if (await served.store.oidcTrusts.drop(name)) return success
    throw notThere(name, path)
  },
})

export const listOidcTrusts = defineRead({
  type: 'list_oidc_trusts',
  effects: 'none',
  scope: null,
  args: ignoredArgs,
  answer: async (_, { served }) => ({ oidc_trusts: await served.store.oidcTrusts.list() }),
})
