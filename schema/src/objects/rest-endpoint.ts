import { z } from 'zod'
import { lenient, name, nonEmpty, oneOf, optional, record, type Schema, text, type Value } from '../shape.ts'

const filledText: Schema<string> = z.string().min(1, 'empty string not allowed')

const fields = {
  name,
  url: filledText,
  methods: nonEmpty(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  definition: record({ query: record({ collection_name: name, query_name: name }) }),
  comment: optional(text),
}

/** A path that answers with a query of a collection (reference/metadata-operations#stored-queries). */
export const restEndpoint = record(fields)
export type RestEndpoint = Value<typeof restEndpoint>

/** create_rest_endpoint (reference/metadata-operations#stored-queries). */
export const createRestEndpointArgs = lenient(fields)
