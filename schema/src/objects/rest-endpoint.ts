import { name, nonEmpty, oneOf, optional, record, text, type Value } from '../shape.ts'

/** A path that answers with a query of a collection (seed, REST endpoint; spec 01 §2.12). */
export const restEndpoint = record({
  name,
  url: text,
  methods: nonEmpty(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  definition: record({ query: record({ collection_name: name, query_name: name }) }),
  comment: optional(text),
})
export type RestEndpoint = Value<typeof restEndpoint>
