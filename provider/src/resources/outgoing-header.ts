import { filled, type InputDeclaration } from './attributes-of.ts'

/**
 * Headers that the engine sends to a webhook or another server
 * (reference/metadata-operations#operations-on-scheduled-triggers).
 */
export const outgoingHeaders = (description: string): InputDeclaration => ({
  description,
  typeName: 'OutgoingHeader',
  of: {
    name: filled('Its name.', { type: 'string' }),
    value: {
      description: 'What it says. Either this or `value_from_env`.',
      type: 'string',
      optional: true,
      sensitive: true,
    },
    value_from_env: filled("Variable of the engine's environment that holds what it says. Either this or `value`.", {
      type: 'string',
      optional: true,
    }),
  },
})
