import type { OperationTypeNode } from 'graphql'
import type { GraphqlSettings } from '../settings.ts'
import { parseDocument } from './parse-document.ts'
import { selectOperation } from './select-operation.ts'

/** Query, mutation or subscription: what the chosen operation of a text is. Throws as parsing and choosing do. */
export function operationKind(
  request: { readonly query: string; readonly operationName: string | null },
  settings: GraphqlSettings,
): OperationTypeNode {
  return selectOperation(parseDocument(request.query, settings), request.operationName).operation.operation
}
