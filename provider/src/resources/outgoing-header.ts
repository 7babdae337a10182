import './attribute-meta.ts'
import { z } from 'zod'

/**
 * Headers that the engine sends to a webhook or another server
 * (reference/metadata-operations#operations-on-scheduled-triggers).
 */
export const outgoingHeaders = (description: string, at?: string) =>
  z
    .array(
      z
        .object({
          name: z.string().min(1, 'must not be empty').meta({ description: 'Its name.' }),
          value: z
            .string()
            .optional()
            .meta({ description: 'What it says. Either this or `value_from_env`.', sensitive: true }),
          value_from_env: z.string().min(1, 'must not be empty').optional().meta({
            description: "Variable of the engine's environment that holds what it says. Either this or `value`.",
          }),
        })
        .meta({ typeName: 'OutgoingHeader' }),
    )
    .optional()
    .meta({ description, ...(at !== undefined && { at }) })
