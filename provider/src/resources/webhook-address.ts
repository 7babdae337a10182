import { filled, type Inputs } from './attributes-of.ts'

/** The address of a webhook, as two siblings of which one is set. `example`: a variable that an address may name. */
export const webhookAddress = (example: string, variable = 'webhook_from_env'): Inputs => ({
  webhook: filled(
    `Address that is called. May name variables of the engine: \`{{${example}}}\`. Either this or \`webhook_from_env\`.`,
  ),
  webhook_from_env: filled("Variable of the engine's environment that holds the address. Either this or `webhook`.", {
    at: variable,
  }),
})
