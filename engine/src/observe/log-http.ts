import type { LogSettings } from './log-line.ts'
import type { BatchedOperation, RequestAnswered } from './request-observation.ts'

/**
 * Whether the http-log has a request: all that fail or are slow, and one in so many of the rest. No successful probe.
 */
export function httpLogFilter({ httpLog }: LogSettings): (o: RequestAnswered) => boolean {
  const { oneIn, slow } = httpLog ?? { oneIn: 1, slow: null }
  let passed = 0
  return (o) => {
    if (o.isProbe) return false
    if (oneIn === 1 || o.error !== null || o.status >= 400) return true
    if (o.operations?.some(({ error }) => error !== null)) return true
    if (slow !== null && (o.requestReadTime + o.queryExecutionTime) * 1000 >= slow) return true
    passed += 1
    if (passed < oneIn || oneIn === 0) return false
    passed = 0
    return true
  }
}

/** `detail` of an http-log line (reference/logs). */
export function httpLogDetail(o: RequestAnswered, settings: LogSettings): Record<string, unknown> {
  return {
    request_id: o.requestId,
    http_info: {
      status: o.status,
      method: o.method,
      ip: o.ip,
      url: o.url,
      http_version: `HTTP/${o.httpVersion}`,
      content_encoding: o.contentEncoding,
    },
    operation: {
      request_id: o.requestId,
      ...(o.userVariables && { user_vars: o.userVariables }),
      response_size: o.responseSize,
      uncompressed_response_size: o.uncompressedResponseSize,
      request_read_time: o.requestReadTime,
      query_execution_time: o.queryExecutionTime,
      request_mode: o.mode,
      query: showsQuery(o, settings) ? o.query : { type: o.operation },
      ...(o.rawQuery !== null && (!o.isMetadata || showsQuery(o, settings)) && { raw_query: o.rawQuery }),
      ...(o.error && { error: o.isMetadata && !showsQuery(o, settings) ? withoutInternal(o.error) : o.error }),
    },
    ...(o.operations && { batched_operations: o.operations.map((operation, i) => batched(operation, i, o, settings)) }),
  }
}

function batched(
  { responseSize, queryExecutionTime, error }: BatchedOperation,
  index: number,
  { query, ...o }: RequestAnswered,
  settings: LogSettings,
): Record<string, unknown> {
  const shown = showsQuery({ ...o, query, error }, settings) && Array.isArray(query) ? query[index] : { type: null }
  return {
    query: shown,
    response_size: responseSize,
    query_execution_time: queryExecutionTime,
    ...(error && { error }),
  }
}

/** The statement of a failed run_sql, say, which may hold a password as the request may. */
export const withoutInternal = ({ internal: _, ...error }: Readonly<Record<string, unknown>>) => error

function showsQuery(o: RequestAnswered, settings: LogSettings): boolean {
  if (settings.queryOnlyOnError) return o.error !== null
  if (!settings.enabledTypes.has('query-log')) return false
  return !o.isMetadata || settings.metadataQueries
}
