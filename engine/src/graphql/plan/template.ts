import { type VariableValues, valueAt } from './guard.ts'

/** JSON with variables inside it. */
export type Template =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'variable'; readonly variable: string; readonly keys: readonly (string | number)[] }
  | { readonly kind: 'list'; readonly of: readonly Template[] }
  | { readonly kind: 'object'; readonly of: ReadonlyMap<string, Template> }

export function fillTemplate(template: Template, variables: VariableValues): unknown {
  switch (template.kind) {
    case 'json':
      return template.json
    case 'variable':
      return valueAt(variables, template.variable, template.keys)
    case 'list':
      return template.of.map((part) => fillTemplate(part, variables))
    case 'object':
      return Object.fromEntries([...template.of].map(([key, part]) => [key, fillTemplate(part, variables)]))
  }
}
