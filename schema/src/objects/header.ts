import { exactlyOne, list, optional, record, type Schema, text, type Value } from '../shape.ts'

/** The name of an environment variable a user may refer to: the engine's own settings are refused. */
const environmentName: Schema<string> = text.refine((value) => !value.startsWith('SVC_GRAPHQL_'), {
  error: ({ input }) =>
    `env variables starting with "SVC_GRAPHQL_" are not allowed in value_from_env: ${String(input)}`,
  params: { above: 1 },
})

/**
 * A header with a value, or the environment variable that holds it
 * (reference/metadata-operations#operations-on-scheduled-triggers).
 */
export const header = exactlyOne(
  record({ name: text, value: optional(text), value_from_env: optional(environmentName) }),
  ['value', 'value_from_env'],
  {
    none: 'expecting value or value_from_env keys',
    several: 'expecting only one of value or value_from_env keys',
  },
)
export type Header = Value<typeof header>

export const headers = list(header)
