/**
 * tracing: which trace a request belongs to, read from its headers and passed on to each server that the engine calls for it
 * (reference/actions#webhooks: B3; W3C where metadata says so). Begin at traces.ts. Imports nothing of ours.
 */
export { newSpanId, readTraceJson, type TraceContext, traceJson } from './trace-context.ts'
export {
  currentTrace,
  isRecorded,
  type Propagator,
  recordSpans,
  type TraceParent,
  Traces,
  withTrace,
} from './traces.ts'
