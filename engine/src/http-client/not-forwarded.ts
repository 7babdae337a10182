/**
 * Said of the client's own connection and body (reference/authentication#webhook), and what is said hop by hop (RFC
 * 9110 §7.6.1).
 */
export const notForwarded: ReadonlySet<string> = new Set([
  'content-length',
  'content-md5',
  'user-agent',
  'host',
  'origin',
  'referer',
  'accept',
  'accept-encoding',
  'accept-language',
  'accept-datetime',
  'cache-control',
  'connection',
  'dnt',
  'content-type',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** Who the client is, in addition to headers that are the engine's own in a request that is passed on. */
export const clientFacts: ReadonlyMap<string, string> = new Map([
  ['host', 'X-Forwarded-Host'],
  ['user-agent', 'X-Forwarded-User-Agent'],
  ['origin', 'X-Forwarded-Origin'],
])
