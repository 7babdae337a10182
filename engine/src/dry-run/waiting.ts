import { findObject, type ObjectAddress, ownKey } from '@svc/schema'
import type { Draft } from '../changes/index.ts'
import type { Command } from '../requests/index.ts'
import { isDeclared } from './implicit-table.ts'

/** A pending member, with what it waits for as it was when it was tried. */
export interface Waiting {
  readonly command: Command
  readonly needs: readonly { readonly address: ObjectAddress; readonly there: boolean }[]
}

export const waitingFor = (command: Command, needs: readonly ObjectAddress[], draft: Draft): Waiting => ({
  command,
  needs: needs.map((address) => ({ address, there: isThere(draft, address) })),
})

/** A filter does not say which kind of relationship it goes over, and a role is there when a permission names it. */
function isThere({ document, model }: Draft, address: ObjectAddress): boolean {
  if (address.type === 'inherited_role' && !findObject(document, address))
    return [...model.roles].some((role) => ownKey('inherited_role', { role_name: role }) === address.own)
  const isOther = address.type === 'object_relation'
  return isDeclared(document, address) || (isOther && isDeclared(document, { ...address, type: 'array_relation' }))
}

/** Whether something it waits for has come or gone since. */
export const isConcerned = ({ needs }: Waiting, draft: Draft): boolean =>
  needs.some(({ address, there }) => isThere(draft, address) !== there)
