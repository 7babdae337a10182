/** Websockets and subscriptions (reference/server#settings, reference/websockets). */
import { integer, toggle } from './value-kinds.ts'

export const websocketSettings = {
  wsReadCookie: toggle(false, { help: 'Read cookies of websocket handshakes although CORS is disabled.' }),
  websocketKeepalive: integer(5, { least: 1, help: 'Seconds between keep-alive messages.' }),
  websocketConnectionInitTimeout: integer(3, { help: 'Seconds to wait for connection_init.' }),
  websocketCompression: toggle(false, { env: 'CONNECTION_COMPRESSION', help: 'Compress websocket messages.' }),
  websocketMaxConnections: integer(10_000, {
    least: 1,
    help: 'Open websockets, at most; more are refused with status 503.',
  }),
  websocketMaxConnectionsPerAddress: integer(1000, {
    least: 1,
    help: 'Open websockets of one address (X-Real-IP, X-Forwarded-For, else the socket’s), at most; more are refused with status 429.',
  }),
  websocketMaxMessageSize: integer(16_777_216, {
    least: 65_536,
    help: 'Bytes of the largest message over a websocket: it is put together at once.',
  }),
  websocketMaxSubscriptions: integer(1000, {
    least: 1,
    help: 'Subscriptions of one websocket, at most.',
  }),
  subscriptionMaxValuesSize: integer(1_048_576, {
    least: 1024,
    help: 'Characters of the variables of a subscription: each poll sends them to the database.',
  }),
  websocketMaxUnsentSize: integer(268_435_456, {
    least: 1_048_576,
    help: 'Bytes that may wait for the clients of all websockets; with more, the client for which most waits is disconnected.',
  }),
  closeWebsocketsOnMetadataChange: toggle(true, {
    flag: 'disable-close-websockets-on-metadata-change',
    inverse: true,
    help: 'Close websockets when metadata changes.',
  }),
  liveQueriesMultiplexedRefetchInterval: integer(1000, {
    least: 1,
    help: 'Milliseconds between polls of live queries.',
  }),
  liveQueriesMultiplexedBatchSize: integer(100, { least: 1, help: 'Live queries polled by one statement.' }),
  streamingQueriesMultiplexedRefetchInterval: integer(1000, {
    least: 1,
    help: 'Milliseconds between polls of streaming queries.',
  }),
  streamingQueriesMultiplexedBatchSize: integer(100, { least: 1, help: 'Streaming queries polled by one statement.' }),
} as const
