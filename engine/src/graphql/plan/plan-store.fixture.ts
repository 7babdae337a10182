import type { RootQuery } from '../../ir/index.ts'
import { parseDocument } from '../document/parse-document.ts'
import { defaultGraphqlSettings, type GraphqlSettings } from '../settings.ts'
import { storeModel } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import type { OperationPlan } from './operation-plan.ts'
import { planOperation } from './plan-operation.ts'

const model = storeModel()

export interface Options {
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  readonly role?: string
  readonly settings?: Partial<GraphqlSettings>
}

export function plan(
  query: string,
  { variables = {}, operationName, role = 'admin', settings: some }: Options = {},
): OperationPlan {
  const settings = { ...defaultGraphqlSettings, ...some }
  const document = parseDocument(query, settings)
  return planOperation({ document, operationName: operationName ?? null, variables }, roleSchema(model, role), settings)
}

export function queryOf(text: string, options?: Options): RootQuery {
  const [root] = plan(text, options).roots
  if (root?.kind !== 'database') throw new Error('no database root')
  return root.query
}
