import type { ArgumentNode, DirectiveNode } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import { type Directive, type DirectivePlace, directives } from '../types/directives.ts'
import { argumentInputs } from './arguments.ts'
import type { Context } from './context.ts'
import { booleanValue, integerValue, open } from './input.ts'

const places: Record<DirectivePlace, string> = {
  QUERY: 'a query',
  MUTATION: 'a mutation',
  SUBSCRIPTION: 'a subscription',
  FIELD: 'a field',
  FRAGMENT_SPREAD: 'a fragment spread',
  INLINE_FRAGMENT: 'an inline fragment',
}

/** Returns whether @include and @skip keep a selection. Throws validation-failed (reference/queries#validation). */
export function isIncluded(
  context: Context,
  nodes: readonly DirectiveNode[] | undefined,
  place: DirectivePlace,
  path: Path,
): boolean {
  if (!nodes || nodes.length === 0) return true
  let keeps = true
  for (const { directive, args } of known(nodes, place, path)) {
    const condition = flag(context, directive, args, 'if', path)
    if (condition === (directive.name === 'skip')) keeps = false
  }
  return keeps
}

/** Checks the directives of a query: @cached, which has no effect. Throws validation-failed. */
export function checkQueryDirectives(context: Context, nodes: readonly DirectiveNode[] | undefined, path: Path): void {
  for (const { directive, args } of known(nodes ?? [], 'QUERY', path)) {
    const inputs = argumentInputs(context, directive.name, directive.args, args, path)
    const ttl = inputs.get('ttl')
    if (ttl) integerValue(open(context, ttl.raw, ttl.field.type, true, ttl.path), ttl.path)
    if (inputs.has('refresh')) flag(context, directive, args, 'refresh', path)
  }
}

/**
 * Lifts the rule of one root field (reference/subscriptions#which-are-valid). It takes nothing, and introspection does
 * not show it.
 */
const multiple = '_multiple_top_level_fields'

export const multipleFields = (nodes: readonly DirectiveNode[] | undefined): boolean =>
  nodes?.some(({ name }) => name.value === multiple) ?? false

/** A mutation has no directive of its own. */
export function checkMutationDirectives(nodes: readonly DirectiveNode[] | undefined, path: Path): void {
  known(nodes ?? [], 'MUTATION', path)
}

/** A subscription has no directive of its own but the hidden one. */
export function checkSubscriptionDirectives(
  context: Context,
  nodes: readonly DirectiveNode[] | undefined,
  path: Path,
): void {
  const shown = (nodes ?? []).filter(({ name }) => name.value !== multiple)
  for (const { directive, args } of known(shown, 'SUBSCRIPTION', path))
    argumentInputs(context, directive.name, directive.args, args, path)
}

function known(nodes: readonly DirectiveNode[], place: DirectivePlace, path: Path) {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const found: { readonly directive: Directive; readonly args: readonly ArgumentNode[] }[] = []
  for (const node of nodes) {
    const name = node.name.value
    const directive = directives.get(name)
    if (!directive) throw invalid(path, `directive '${name}' is not defined in the schema`)
    if (!directive.places.includes(place)) throw invalid(path, `directive '${name}' is not allowed on ${places[place]}`)
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
    found.push({ directive, args: node.arguments ?? [] })
  }
  if (repeated.size > 0)
    throw invalid(
      path,
      `the following directives are used more than once: [${[...repeated].map((name) => `'${name}'`).join(', ')}]`,
    )
  return found
}

function flag(
  context: Context,
  directive: Directive,
  args: readonly ArgumentNode[],
  name: string,
  path: Path,
): boolean {
  const given = argumentInputs(context, directive.name, directive.args, args, path).get(name)
  if (!given) throw invalid(path.at('args', name), `missing required field '${name}'`)
  return booleanValue(
    context,
    open(context, given.raw, given.field.type, given.field.defaultValue !== null, given.path),
    given.path,
  )
}
