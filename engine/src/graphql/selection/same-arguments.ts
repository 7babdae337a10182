import { type FieldNode, Kind, type ValueNode } from 'graphql'
import { keptFor } from '../../kept-for.ts'

/**
 * Whether two selections of a field have the same arguments, in any order. The result is cached with the first one: a
 * fragment may bring the same two thousands of times, and comparing 9,000 conditions that often took 45 s.
 */
export const sameArguments = (a: FieldNode, b: FieldNode): boolean =>
  a === b || !(a.arguments?.length || b.arguments?.length) || compared(a)(b)

const compared = keptFor((a: FieldNode) => keptFor((b: FieldNode) => sameEntries(a.arguments ?? [], b.arguments ?? [])))

interface ArgumentEntry {
  readonly name: { readonly value: string }
  readonly value: ValueNode
}

function sameEntries(a: readonly ArgumentEntry[], b: readonly ArgumentEntry[]): boolean {
  if (a.length !== b.length) return false
  if (a.length === 0) return true
  const values = new Map(b.map((entry) => [entry.name.value, entry.value]))
  return a.every((entry) => {
    const other = values.get(entry.name.value)
    return other !== undefined && sameValue(entry.value, other)
  })
}

function sameValue(a: ValueNode, b: ValueNode): boolean {
  switch (a.kind) {
    case Kind.VARIABLE:
      return b.kind === Kind.VARIABLE && a.name.value === b.name.value
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return b.kind === a.kind && a.value === b.value
    case Kind.NULL:
      return b.kind === Kind.NULL
    case Kind.LIST:
      return (
        b.kind === Kind.LIST &&
        a.values.length === b.values.length &&
        a.values.every((value, i) => {
          const other = b.values[i]
          return other !== undefined && sameValue(value, other)
        })
      )
    case Kind.OBJECT:
      return b.kind === Kind.OBJECT && sameEntries(a.fields, b.fields)
  }
}
