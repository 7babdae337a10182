import { readTelemetry } from '../../../telemetry/index.ts'
import { definitionError } from '../../resolve/resolution-error.ts'
import type { Part } from '../part.ts'

/** That it is served: what it does is telemetry/. */
interface ResolvedTelemetry {
  readonly isServed: true
}

/** Where traces and metrics are sent: what it takes from the environment is there, and all it lists can be sent. */
export const opentelemetryPart: Part<ResolvedTelemetry, 'opentelemetry'> = {
  key: 'opentelemetry',
  type: 'opentelemetry',
  resolve({ value, input }) {
    const { environment } = input.settings
    const read = environment && readTelemetry(value, environment)
    if (typeof read === 'string') throw definitionError(read)
    return { isServed: true }
  },
}
