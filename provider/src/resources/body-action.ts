import './attribute-meta.ts'
import { z } from 'zod'

/** What becomes of the body of a request or a response. */
export const bodyTransform = () =>
  z
    .object({
      action: z
        .enum(['transform', 'remove', 'x_www_form_urlencoded'])
        .default('transform')
        .meta({ typeName: 'BodyAction', description: 'What becomes of the body.' }),
      template: z
        .string()
        .optional()
        .meta({ description: 'Of `transform`: a template that yields the new body, as JSON.' }),
      form_template: z
        .record(z.string(), z.string())
        .optional()
        .meta({ description: 'Of `x_www_form_urlencoded`: a template for each field of the form.' }),
    })
    .optional()
    .meta({ typeName: 'BodyTransform', description: 'What becomes of the body.' })
