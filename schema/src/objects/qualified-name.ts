import { z } from 'zod'
import { type NameStyle, perStyle } from '../backend-kind.ts'
import { withInputForm } from '../input-forms.ts'
import type { Json, JsonObject } from '../json.ts'
import { isRecord, name, type Schema } from '../shape.ts'

/** The canonical name of a table, function or procedure: `{name, schema}`, or `{dataset, name}` on BigQuery. */
export type QualifiedName = JsonObject

/**
 * A text or `{schema, name}` with the default schema of the kind; BigQuery: `{dataset, name}`
 * (reference/metadata-document#objects, reference/metadata-document#both-spellings). Agents spell names as they like.
 */
export const qualifiedName = perStyle((style): Schema<QualifiedName> => {
  switch (style) {
    case 'public':
    case 'dbo':
      return schemaAndName(style)
    case 'dataset':
      return z.object({ dataset: name, name })
    case 'agent':
      return z.custom<JsonObject>((value) => value !== undefined && value !== null, 'expected a name')
  }
})

const schemaAndName = (defaultSchema: string): Schema<QualifiedName> =>
  withInputForm(
    z
      .unknown()
      .transform((value) => (typeof value === 'string' ? { name: value } : value))
      .pipe(
        z
          .object({ name, schema: name.nullish() }, 'expected a name or {schema, name}')
          .transform((value) => ({ name: value.name, schema: value.schema ?? defaultSchema })),
      ),
    {
      anyOf: () => [
        z.string().min(1),
        z.object({ name, schema: withInputForm(name.nullish(), { default: defaultSchema }) }),
      ],
    },
  )

/** A name whose kind is decided elsewhere (a table in another source): text remains text until that is known. */
export const foreignName: Schema<Json> = z.custom<Json>(
  (value) => typeof value === 'string' || Array.isArray(value) || isRecord(value),
  'expected a name or {schema, name}',
)

/** A text in the spelling of the source it belongs to. */
export function resolveForeignName(value: Json, style: NameStyle): Json {
  const result = qualifiedName(style).safeParse(value)
  return result.success ? result.data : value
}
