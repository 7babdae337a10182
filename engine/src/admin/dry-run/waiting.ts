import type { MetadataDocument, ObjectAddress } from '@svc/schema'
import type { Command } from '../command.ts'
import { isDeclared } from './implicit-table.ts'

/** A pending member, with what it waits for as it was when it was tried. */
export interface Waiting {
  readonly command: Command
  readonly needs: readonly { readonly address: ObjectAddress; readonly there: boolean }[]
}

export const waitingFor = (command: Command, needs: readonly ObjectAddress[], document: MetadataDocument): Waiting => ({
  command,
  needs: needs.map((address) => ({ address, there: isThere(document, address) })),
})

/** A filter does not say which kind of relationship it goes over. */
function isThere(document: MetadataDocument, address: ObjectAddress): boolean {
  const isOther = address.type === 'object_relation'
  return isDeclared(document, address) || (isOther && isDeclared(document, { ...address, type: 'array_relation' }))
}

/** Whether something it waits for has come or gone since. */
export const isConcerned = ({ needs }: Waiting, document: MetadataDocument): boolean =>
  needs.some(({ address, there }) => isThere(document, address) !== there)
