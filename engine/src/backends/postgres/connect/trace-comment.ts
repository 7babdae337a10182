import { currentTrace } from '../../../tracing/index.ts'

/** At the end of a statement: the trace that it belongs to; empty outside of one. Ids are hexadecimal digits. */
export function traceComment(): string {
  const trace = currentTrace()
  return trace ? ` /* svc_trace_id=${trace.traceId} */` : ''
}
