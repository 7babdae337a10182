/** What graphql-js itself says of two introspections of a role, for the tests of the comparison. */
import {
  buildClientSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  getIntrospectionQuery,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { parseDocument } from '../src/graphql/document/parse-document.ts'
import { IntrospectionCache } from '../src/graphql/introspection/introspection-cache.ts'
import { newPrintContext } from '../src/graphql/introspection/plan-introspection.ts'
import { planOperation } from '../src/graphql/plan/plan-operation.ts'
import { defaultGraphqlSettings as settings } from '../src/graphql/settings.ts'
import { roleSchema } from '../src/graphql/types/role-schema.ts'
import type { Model } from '../src/model/index.ts'

const document = parseDocument(getIntrospectionQuery({ descriptions: false }), settings)
const texts = new IntrospectionCache(1e8)

/** The schema that a client builds of a role's introspection. */
export async function introspected(model: Model, role: string): Promise<GraphQLSchema> {
  const schema = roleSchema(model, role)
  const [root] = planOperation({ document, operationName: null, variables: {} }, schema, settings).roots
  if (root?.kind !== 'introspection') throw new Error('no introspection')
  const pieces = await root.answer(newPrintContext(schema, texts, settings))
  return buildClientSchema({ __schema: JSON.parse(Buffer.concat([...pieces]).toString()) }, { assumeValid: true })
}

/** All changes as sorted lines: graphql-js's breaking and dangerous ones, and what was added or changed safely. */
export function changesOf(before: GraphQLSchema, after: GraphQLSchema): readonly string[] {
  const found = [...findBreakingChanges(before, after), ...findDangerousChanges(before, after)].map(
    ({ type, description }) => `${type} ${description}`,
  )
  for (const type of Object.values(after.getTypeMap())) {
    const old = before.getType(type.name)
    if (!old) found.push(`TYPE_ADDED ${type.name} was added.`)
    const hasFields = (of: unknown) => isObjectType(of) || isInterfaceType(of)
    if (!old || !hasFields(type) || !hasFields(old)) continue
    for (const name of Object.keys(fieldsOf(type)))
      if (!fieldsOf(old)[name]) found.push(`FIELD_ADDED ${type.name}.${name} was added.`)
  }
  for (const type of Object.values(before.getTypeMap())) {
    const now = after.getType(type.name)
    for (const [name, { type: of, args }] of Object.entries(fieldsOf(type))) {
      const field = fieldsOf(now)[name]
      if (!field) continue
      const at = `${type.name}.${name}`
      const isSafe = (what: string) => !found.some((line) => line.includes(`${what} changed type from`))
      if (String(field.type) !== String(of) && isSafe(at))
        found.push(`FIELD_CHANGED_KIND_SAFE ${at} changed type from ${of} to ${field.type}.`)
      for (const argument of args ?? []) {
        const other = field.args?.find((one) => one.name === argument.name)
        const text = `${at} arg ${argument.name} has changed type from`
        if (other && String(other.type) !== String(argument.type) && !found.some((line) => line.includes(text)))
          found.push(`ARG_CHANGED_KIND_SAFE ${text} ${argument.type} to ${other.type}.`)
      }
    }
  }
  return found.sort()
}

interface AnyField {
  readonly type: object
  readonly args?: readonly { readonly name: string; readonly type: object }[]
}

const fieldsOf = (type: unknown): Readonly<Record<string, AnyField>> =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {}
