import { type Diagnostic, errorOf, type Provider } from '../core/index.ts'
import { type Attributes, unknown, type Value, type Values } from '../resources/index.ts'
import { providerOptions } from './provider-options.ts'
import { readNames } from './values/named-values.ts'

/** What SDKs put in addition to the configuration. */
const notOurs: ReadonlySet<string> = new Set(['version', 'pluginDownloadURL', 'pluginChecksums'])

/** The configuration's own values; texts in place of numbers and flags, as SDKs send them, are read as JSON. */
export function readConfiguration(attributes: Attributes, properties: Values): ReturnType<typeof readNames> {
  const ours = Object.entries(properties).filter(([name]) => !notOurs.has(name))
  const { values, strangers } = readNames(attributes, Object.fromEntries(ours))
  const read = Object.entries(values).map(([name, value]) => [
    name,
    attributes[name]?.type.kind === 'string' ? value : fromText(value),
  ])
  return { values: Object.fromEntries(read), strangers }
}

function fromText(value: Value): Value {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Value
  } catch {
    return value
  }
}

/** What the core knows of a configuration. */
export const withoutOptions = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(providerOptions, name)))

/** Of everything, also of what only Pulumi has. */
export function checkConfiguration(provider: Provider, values: Values): readonly Diagnostic[] {
  const options = Object.keys(providerOptions).flatMap((name): readonly Diagnostic[] => {
    const value = values[name] ?? null
    return value === null || value === unknown || typeof value === 'boolean'
      ? []
      : [errorOf(`${name}: must be true or false`, '', [name])]
  })
  return [...provider.validateConfig(withoutOptions(values)), ...options]
}
