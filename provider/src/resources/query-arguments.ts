import './attribute-meta.ts'
import { z } from 'zod'

const argument = z.object({
  type: z.string().min(1, 'must not be empty').meta({ description: 'Its type in the database.' }),
  nullable: z.boolean().default(false).meta({ description: 'Whether it may be null or left out.' }),
  description: z.string().optional().meta({ description: 'Its description in GraphQL.' }),
})

/** What clients give to a native query or a stored procedure. */
export const queryArguments = z
  .record(z.string(), argument)
  .optional()
  .meta({ description: 'What clients give, by name.' })
