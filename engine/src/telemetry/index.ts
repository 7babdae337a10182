/**
 * telemetry: traces and metrics over OTLP, as metadata's `opentelemetry` says (reference/metadata-document#objects;
 * docs/observability.md). Begin at telemetry.ts. The SDK of OpenTelemetry is loaded when metadata enables it. Imports
 * observe, tracing, metrics, http-client (references to environment variables).
 */
export { readTelemetry } from './read-settings.ts'
export { Telemetry } from './telemetry.ts'
