import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql'

/** What may be written at a place of a GraphQL document. */
export type CursorPlace =
  | { readonly kind: 'document' }
  | { readonly kind: 'fields'; readonly of: GraphQLNamedType }
  /** Behind `...`: of a type, whose fragments and other types may stand there. */
  | { readonly kind: 'spread'; readonly of: GraphQLNamedType; readonly fragments: readonly string[] }
  | { readonly kind: 'type-condition' }
  | { readonly kind: 'directive' }
  | { readonly kind: 'keys'; readonly of: Inputs }
  | { readonly kind: 'value'; readonly of: GraphQLInputType; readonly variables: readonly string[] }
  | { readonly kind: 'input-type' }

type Inputs = readonly (GraphQLArgument | GraphQLInputField)[]

type Frame =
  /** `field`: what was named last, whose arguments or fields may follow. */
  | { readonly kind: 'selection'; readonly of: GraphQLNamedType; field: Field | null }
  | { readonly kind: 'keys'; readonly of: Inputs; value: GraphQLInputType | null }
  | { readonly kind: 'list'; readonly of: GraphQLInputType | null }
  | { readonly kind: 'variables' }
  /** Of a type that the schema lacks. */
  | { readonly kind: 'unknown' }

interface Field {
  readonly args: Inputs
  readonly of: GraphQLNamedType | null
}

/** Comments and texts, then what means something. */
const token = /#.*|"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|\.\.\.|[$@]?[A-Za-z_]\w*|-?\d[\w.+-]*|[{}()[\]:!=|&]/g

/** What may be written at the end of `before`; null: nothing that the schema knows of. */
export function placeAtEnd(before: string, whole: string, schema: GraphQLSchema): CursorPlace | null {
  const stack: Frame[] = []
  const roots: Readonly<Record<string, GraphQLNamedType | null | undefined>> = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }
  let root: GraphQLNamedType | null | undefined = roots.query
  let last = ''
  const tokens = (before.match(token) ?? []).filter((text) => !/^["#]/.test(text))
  for (const [index, text] of tokens.entries()) {
    const top = stack.at(-1)
    const follows = tokens[index + 1]
    if (!top) {
      if (text in roots) root = roots[text]
      else if (last === 'on') root = schema.getType(text)
      else if (text === '(') stack.push({ kind: 'variables' })
      else if (text === '{') stack.push(root ? { kind: 'selection', of: root, field: null } : { kind: 'unknown' })
    } else if (/^[}\])]$/.test(text)) {
      stack.pop()
      if (stack.length === 0) root = text === ')' ? root : roots.query
      const above = stack.at(-1)
      if (above?.kind === 'keys') above.value = null
    } else if (top.kind === 'selection') {
      if (text === '{') {
        const of = top.field?.of
        stack.push(of ? { kind: 'selection', of, field: null } : { kind: 'unknown' })
      } else if (text === '(')
        stack.push({
          kind: 'keys',
          of: last.startsWith('@') ? (schema.getDirective(last.slice(1))?.args ?? []) : (top.field?.args ?? []),
          value: null,
        })
      else if (last === 'on') top.field = { args: [], of: schema.getType(text) ?? null }
      else if (text === '...') top.field = { args: [], of: top.of }
      else if (/^\w/.test(text) && last !== '...' && follows !== ':') top.field = fieldOf(schema, top.of, text)
    } else if (top.kind === 'keys') {
      if (text === ':') top.value = top.of.find(({ name }) => name === last)?.type ?? null
      else if (text === '{') stack.push(keysOf(top.value))
      else if (text === '[') stack.push({ kind: 'list', of: top.value })
      else if (last === ':') top.value = null
    } else if (text === '{') stack.push(top.kind === 'list' ? keysOf(top.of) : { kind: 'unknown' })
    else if (text === '[' || text === '(') stack.push({ kind: 'list', of: top.kind === 'list' ? top.of : null })
    last = text
  }
  return placeIn(stack.at(-1), last, whole)
}

function placeIn(top: Frame | undefined, last: string, whole: string): CursorPlace | null {
  if (!top) return last === 'on' ? { kind: 'type-condition' } : /^\w/.test(last) ? null : { kind: 'document' }
  switch (top.kind) {
    case 'selection':
      if (last === '...') return { kind: 'spread', of: top.of, fragments: namesAfter(whole, /\bfragment\s+(\w+)/g) }
      return last === 'on' ? { kind: 'type-condition' } : { kind: 'fields', of: top.of }
    case 'keys':
      if (last !== ':') return { kind: 'keys', of: top.of }
      return top.value && { kind: 'value', of: top.value, variables: namesAfter(whole, /(\$\w+)\s*:/g) }
    case 'list':
      return top.of && { kind: 'value', of: top.of, variables: namesAfter(whole, /(\$\w+)\s*:/g) }
    case 'variables':
      return last === ':' || last === '[' ? { kind: 'input-type' } : null
    case 'unknown':
      return null
  }
}

const namesAfter = (text: string, look: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(look)].map(([, name = '']) => name)),
]

function fieldOf(schema: GraphQLSchema, of: GraphQLNamedType, name: string): Field | null {
  const isRoot = of === schema.getQueryType()
  const meta = [SchemaMetaFieldDef, TypeMetaFieldDef].find((one) => isRoot && one.name === name)
  const field = meta ?? (isObjectType(of) || isInterfaceType(of) ? of.getFields()[name] : undefined)
  if (!field) return null
  const type = getNamedType(field.type)
  return { args: field.args, of: isCompositeType(type) ? type : null }
}

function keysOf(type: GraphQLInputType | null): Frame {
  const named = type && getNamedType(type)
  return isInputObjectType(named)
    ? { kind: 'keys', of: Object.values(named.getFields()), value: null }
    : { kind: 'unknown' }
}
