import { Kind, type TypeNode } from 'graphql'
import type { AskedParts } from './asked-parts.ts'
import type { Variables } from './variables.ts'

/** Adds the types that an operation's variables are declared with: it cannot be run without them. */
export function namingVariables(asked: AskedParts, { declared }: Pick<Variables, 'declared'>): AskedParts {
  for (const { type } of declared.values()) asked.member(nameOf(type), '')
  return asked
}

const nameOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type))
