import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'

export interface QuerySize {
  /** Levels of fields. */
  readonly depth: number
  /** Fields, those of a fragment counted wherever it is used. */
  readonly nodes: number
}

const nothing: QuerySize = { depth: 0, nodes: 0 }

/**
 * Returns how deep and large an operation is, whatever `@skip` leaves of it; introspection does not count.
 * Null where it is not clear which operation is meant: validation says so.
 */
export function measureQuery(document: DocumentNode, operationName: string | null): QuerySize | null {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  const chosen =
    operationName === null ? only(operations) : operations.find(({ name }) => name?.value === operationName)
  if (!chosen) return null
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet] as const] : [],
    ),
  )
  /** Null while it is measured: a fragment inside itself is refused by validation. */
  const known = new Map<string, QuerySize | null>()
  const fragment = (name: string): QuerySize => {
    const found = known.get(name)
    if (found !== undefined) return found ?? nothing
    known.set(name, null)
    const size = measure(fragments.get(name))
    known.set(name, size)
    return size
  }
  const measure = (set: SelectionSetNode | undefined): QuerySize => {
    let [depth, nodes] = [0, 0]
    for (const selection of set?.selections ?? []) {
      const size = sizeOf(selection)
      depth = Math.max(depth, size.depth)
      nodes += size.nodes
    }
    return { depth, nodes }
  }
  const sizeOf = (selection: SelectionSetNode['selections'][number]): QuerySize => {
    switch (selection.kind) {
      case Kind.FIELD: {
        if (/^__(schema|type)$/.test(selection.name.value)) return nothing
        const below = measure(selection.selectionSet)
        return { depth: below.depth + 1, nodes: below.nodes + 1 }
      }
      case Kind.INLINE_FRAGMENT:
        return measure(selection.selectionSet)
      case Kind.FRAGMENT_SPREAD:
        return fragment(selection.name.value)
    }
  }
  return measure(chosen.selectionSet)
}

const only = (operations: readonly OperationDefinitionNode[]) => (operations.length === 1 ? operations[0] : undefined)
