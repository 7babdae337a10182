import { type Attributes, unknown, type Value, type Values } from '../resources/index.ts'
import { errorAt } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/** What the provider's own settings say in place of resources that do not say it themselves. */
export interface ProviderDefaults {
  readonly default_source: Value
  readonly default_role: Value
}

/** Of a provider that is not configured yet, whose resources are checked without it. */
export const defaultsToCome: ProviderDefaults = { default_source: null, default_role: unknown }

/** Returns values with the provider's defaults where they are not set. */
export function withProviderDefaults<T extends Values | null>(
  attributes: Attributes,
  values: T,
  defaults: ProviderDefaults,
): T | Values {
  if (values === null) return values
  const filled = Object.entries(attributes).flatMap(([name, { providerDefault }]) => {
    const value = providerDefault === undefined ? null : defaults[providerDefault]
    return value === null || (values[name] ?? null) !== null ? [] : [[name, value] as const]
  })
  return filled.length === 0 ? values : { ...values, ...Object.fromEntries<Value>(filled) }
}

/** Returns errors for required attributes that neither a resource nor the provider sets. */
export const missingDefaults = (attributes: Attributes, values: Values): readonly Diagnostic[] =>
  Object.entries(attributes).flatMap(([name, { providerDefault, default: initial }]) =>
    providerDefault === undefined || initial !== undefined || (values[name] ?? null) !== null
      ? []
      : [
          errorAt(
            attributes,
            [name],
            'is required',
            `Give it here, or set ${providerDefault} of the provider for all.`,
          ),
        ],
  )
