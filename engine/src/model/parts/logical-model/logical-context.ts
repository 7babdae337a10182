import { databaseTypeReadKey } from '../../graph.ts'
import type { Reading } from '../part.ts'
import { type LogicalContext, logicalModelAddress } from './logical-shape.ts'

/** What the fields of a logical model read of their source. */
export function logicalContext({ source, isDeclared, note }: Reading): LogicalContext {
  return {
    source: source.name,
    sourceOwn: source.own,
    types: source.state.backend.types,
    typeOf(name) {
      note(databaseTypeReadKey(source.name, name))
      return source.state.queries.types.get(name) ?? null
    },
    isDeclared: (name) => isDeclared(logicalModelAddress(source.own, name)),
  }
}
