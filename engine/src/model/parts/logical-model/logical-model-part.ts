import type { Part } from '../part.ts'
import { logicalContext } from './logical-context.ts'
import { type LogicalNode, logicalShape, rowsOfModel, sameLogicalNode } from './logical-shape.ts'

/**
 * A logical model by itself (reference/metadata-operations#native-queries-and-logical-models); its rows are served with
 * the native queries that return them.
 */
export const logicalModelPart: Part<LogicalNode, 'logical_model'> = {
  key: 'logical_model',
  type: 'logical_model',
  title: ({ value }) => `logical model "${String(value.name)}"`,
  resolve: ({ at, object: { value } }, reading) =>
    logicalShape(rowsOfModel(at), String(value.name), value, logicalContext(reading)),
  names: ({ name }, { source }) => ({
    claims: [{ kind: 'type', name, isRow: true }],
    at: ['name'],
    types: source.state.backend.types,
  }),
  same: sameLogicalNode,
}
