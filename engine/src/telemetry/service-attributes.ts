import { randomUUID } from 'node:crypto'

/** The attributes of the sender: without the second, figures of several processes would be taken for those of one. */
export const serviceAttributes = { 'service.name': 'svc-graphql-engine', 'service.instance.id': randomUUID() }
