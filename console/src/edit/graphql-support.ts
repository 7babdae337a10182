import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { type Diagnostic, linter } from '@codemirror/lint'
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import {
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { type CursorPlace, placeAtEnd } from './graphql-place.ts'
import { graphqlLanguage } from './languages.ts'

const setSchema = StateEffect.define<GraphQLSchema | null>()
const schemaField = StateField.define<GraphQLSchema | null>({
  create: () => null,
  update: (schema, { effects }) => effects.reduce((known, one) => (one.is(setSchema) ? one.value : known), schema),
})

/** Completion and complaints by a schema, which `updateSchema` brings; colours without one, too. */
export const graphqlSupport: Extension = [
  graphqlLanguage,
  schemaField,
  graphqlLanguage.data.of({ autocomplete: complete }),
  linter(({ state }) => complaintsOf(state.doc.toString(), state.field(schemaField)), {
    needsRefresh: ({ startState, state }) => startState.field(schemaField) !== state.field(schemaField),
  }),
]

export const updateSchema = (view: EditorView, schema: GraphQLSchema | null): void =>
  view.dispatch({ effects: setSchema.of(schema) })

function complaintsOf(text: string, schema: GraphQLSchema | null): readonly Diagnostic[] {
  if (text.trim() === '' || /^\s*\w*\s*\{\s*\}\s*$/.test(text)) return []
  try {
    const document = parse(text)
    return schema ? validate(schema, document).map((error) => complaint(error, text)) : []
  } catch (error) {
    return error instanceof GraphQLError ? [complaint(error, text)] : []
  }
}

function complaint({ message, nodes, positions }: GraphQLError, text: string): Diagnostic {
  const from = Math.min(positions?.[0] ?? 0, text.length)
  const name = /^[$@\w]+/.exec(text.slice(from))?.[0].length ?? 1
  const end = nodes?.[0]?.loc?.end ?? from + name
  return {
    from,
    to: Math.min(text.length, Math.max(from, end > from + 80 ? from + name : end)),
    severity: 'error',
    message,
  }
}

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const schema = state.field(schemaField)
  const text = state.doc.toString()
  const typed = /[$@]?\w*$/.exec(text.slice(0, pos))?.[0] ?? ''
  if (!schema || (typed === '' && !explicit)) return null
  const from = pos - typed.length
  const place = typed.startsWith('@') ? ({ kind: 'directive' } as const) : placeAtEnd(text.slice(0, from), text, schema)
  const options = place ? optionsAt(place, schema) : []
  return options.length === 0 ? null : { from, options, validFor: /^[$@]?\w*$/ }
}

function optionsAt(place: CursorPlace, schema: GraphQLSchema): readonly Completion[] {
  const words = (type: string, names: readonly string[]) => names.map((label) => ({ label, type }))
  switch (place.kind) {
    case 'document':
      return words('keyword', ['query', 'mutation', 'subscription', 'fragment'])
    case 'fields': {
      const { of } = place
      const fields = isObjectType(of) || isInterfaceType(of) ? Object.values(of.getFields()) : []
      return [...fields.map(described('property')), { label: '__typename', type: 'property', detail: 'String!' }]
    }
    case 'spread':
      return words('keyword', ['on', ...place.fragments])
    case 'type-condition':
      return words('type', typeNames(schema, isCompositeType))
    case 'directive':
      return schema.getDirectives().map(({ name }) => ({ label: `@${name}`, type: 'keyword' }))
    case 'keys':
      return place.of.map(described('property'))
    case 'value': {
      const type = getNamedType(place.of)
      const values = isEnumType(type) ? type.getValues().map(({ name }) => name) : []
      return [
        ...words('constant', type.name === 'Boolean' ? ['true', 'false'] : values),
        ...words('variable', place.variables),
      ]
    }
    case 'input-type':
      return words('type', typeNames(schema, isInputType))
  }
}

const typeNames = (schema: GraphQLSchema, isMeant: (type: GraphQLNamedType) => boolean) =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isMeant(type) && !type.name.startsWith('__') ? [type.name] : [],
  )

interface Described {
  readonly name: string
  readonly type: { toString(): string }
  readonly description?: string | null | undefined
}

const described =
  (type: string) =>
  ({ name, type: of, description }: Described): Completion => ({
    label: name,
    type,
    detail: String(of),
    ...(description && { info: description }),
  })
