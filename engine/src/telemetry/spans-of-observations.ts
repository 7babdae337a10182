import type { Listener, Observation } from '../observe/index.ts'
import { currentTrace, newSpanId } from '../tracing/index.ts'
import type { SpanFacts } from './span-exporter.ts'

/**
 * Makes spans of a trace from what happened while a request was answered, named as OpenTelemetry's conventions for HTTP
 * and GraphQL say; unsampled traces have none. `scheme`: of the URLs that are served.
 */
export function spansOfObservations(
  send: (span: SpanFacts) => void,
  scheme: 'http' | 'https',
): (observation: Observation) => void {
  const spanOf = (
    milliseconds: number,
    facts: Pick<SpanFacts, 'name' | 'kind' | 'attributes' | 'failed'>,
    own: string | null,
  ) => {
    const context = currentTrace()
    if (!context || context.sampled === false) return
    const end = performance.timeOrigin + performance.now()
    const ids =
      own === null ? { spanId: context.spanId, parentId: context.parentId } : { spanId: own, parentId: context.spanId }
    send({ traceId: context.traceId, ...ids, start: end - milliseconds, end, ...facts })
  }
  const listener: Partial<Listener> = {
    'request-answered': (o) => {
      if (o.isProbe) return
      const code = o.error === null ? null : String(o.error.code)
      spanOf(
        (o.requestReadTime + o.queryExecutionTime) * 1000,
        {
          name: o.route === null ? o.method : `${o.method} ${o.route}`,
          kind: 'server',
          attributes: {
            'http.request.method': o.method,
            'url.path': o.url,
            'url.scheme': scheme,
            ...(o.route !== null && { 'http.route': o.route }),
            'client.address': o.ip,
            'network.protocol.version': o.httpVersion,
            'http.response.status_code': o.status,
            'http.response.body.size': o.responseSize,
            'svc.request_id': o.requestId,
            ...(o.role !== null && { 'svc.role': o.role }),
            ...(o.operation !== null && { 'svc.metadata.operation': o.operation }),
            ...(code !== null && { 'error.type': code }),
          },
          failed: o.status >= 500,
        },
        null,
      )
    },
    'operation-executed': (o) =>
      spanOf(
        o.milliseconds,
        {
          name: o.type ?? 'GraphQL Operation',
          kind: 'server',
          attributes: {
            ...(o.type !== null && { 'graphql.operation.type': o.type }),
            ...(o.operationName !== null && { 'graphql.operation.name': o.operationName }),
            'svc.api': o.api,
            'svc.role': o.role,
            ...(o.planCached !== null && { 'svc.plan_cached': o.planCached }),
            ...(o.code !== null && { 'error.type': o.code }),
          },
          failed: o.code !== null,
        },
        newSpanId(),
      ),
    'statement-executed': (o) =>
      spanOf(
        o.milliseconds,
        {
          name: `${o.system} ${o.source}`,
          kind: 'client',
          attributes: {
            'db.system.name': o.system,
            'db.query.text': o.statements.join('; '),
            'svc.source': o.source,
            ...(o.statements.length > 1 && { 'db.operation.batch.size': o.statements.length }),
            ...(o.error !== null && { 'error.type': o.error }),
          },
          failed: o.error !== null,
        },
        newSpanId(),
      ),
    'http-request-sent': (o) => {
      if (o.requestId === null) return
      spanOf(
        o.milliseconds,
        {
          name: `${o.method} (${o.purpose})`,
          kind: 'client',
          attributes: {
            'http.request.method': o.method,
            'url.full': o.url,
            ...(o.status !== null && { 'http.response.status_code': o.status }),
            ...(o.failure !== null && { 'error.type': o.failure }),
          },
          failed: o.failure !== null || (o.status ?? 0) >= 400,
        },
        o.spanId ?? newSpanId(),
      )
    },
  }
  return (observation) => {
    const receive = listener[observation.kind] as ((observation: Observation) => void) | undefined
    receive?.(observation)
  }
}
