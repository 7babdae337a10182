import type { Context } from '../selection/context.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import { serviceType } from '../types/federation-types.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { TypeRef } from '../types/type.ts'
import { allTypeTexts } from './all-type-texts.ts'
import { countSize, type Printer } from './meta-object.ts'
import { schemaMeta } from './meta-schema.ts'
import type { IntrospectionAnswer } from './plan-introspection.ts'
import { typeDefinition } from './type-definition.ts'

const definitions: Printer<TypeRef> = {
  key: 'sdl',
  print: (ref, printContext) => {
    const text = ref.kind === 'named' ? typeDefinition(ref.find(printContext.schema)) : ''
    countSize(printContext, text)
    return text
  },
}

/**
 * `_service` of Apollo federation: the role's schema as GraphQL text, what federation adds left out
 * (reference/http#limits-and-federation).
 */
export function planServiceField(
  context: Context,
  { selections, path }: SelectedField<QueryRootMeaning>,
): IntrospectionAnswer {
  const fields = selectedFields(context, serviceType, selections, path)
  return async (printContext) => {
    const isAsked = fields.some(({ kind }) => kind === 'field')
    const types = isAsked ? await allTypeTexts(printContext, definitions, schemaMeta, '\n\n') : []
    const sdl = `schema { query: query_root }\n\n${Buffer.concat(types)}`
    const entries = fields.map((field) => [field.as, field.kind === 'typename' ? field.name : sdl] as const)
    return [Buffer.from(JSON.stringify(Object.fromEntries(entries)))]
  }
}
