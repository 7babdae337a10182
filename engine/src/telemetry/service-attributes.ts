import { randomUUID } from 'node:crypto'

/** Who sends: figures of several processes would be taken for those of one without the second. */
export const serviceAttributes = { 'service.name': 'svc-graphql-engine', 'service.instance.id': randomUUID() }
