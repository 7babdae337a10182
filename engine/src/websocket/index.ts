/**
 * websocket: GraphQL over websockets, both sub-protocols (reference/websockets). Begin at websocket-server.ts, which
 * accepts upgrades; websocket-connection.ts is the life of one socket; what a message means (next-step.ts) and how it
 * is written (client-message.ts, frames.ts) are pure. Imports http (origins, errors), auth, config, observe.
 */
export type { WebsocketServices } from './operation.ts'
export { WebsocketServer } from './websocket-server.ts'
