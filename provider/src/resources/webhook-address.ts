import './attribute-meta.ts'
import { z } from 'zod'

/** The address of a webhook, as two siblings of which one is given. `example`: a variable that an address may name. */
export const webhookAddress = (example: string, at: { readonly webhook?: string; readonly fromEnv?: string } = {}) => ({
  webhook: z
    .string()
    .min(1, 'must not be empty')
    .optional()
    .meta({
      description: `Address that is called. May name variables of the engine: \`{{${example}}}\`. Either this or \`webhook_from_env\`.`,
      ...(at.webhook !== undefined && { at: at.webhook }),
    }),
  webhook_from_env: z
    .string()
    .min(1, 'must not be empty')
    .optional()
    .meta({
      description: "Variable of the engine's environment that holds the address. Either this or `webhook`.",
      ...(at.fromEnv !== undefined && { at: at.fromEnv }),
    }),
})
