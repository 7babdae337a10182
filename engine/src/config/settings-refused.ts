/** Settings of the reference engine that have nothing to do here: only their defaults are taken, all else is refused with why. */
import { refused } from './value-kinds.ts'

export const refusedSettings = {
  metadataDatabaseExtensionsSchema: refused('public', {
    help: 'The catalogue needs no extension, so none is created anywhere.',
  }),
  enableTelemetry: refused('false', { help: 'The engine reports nothing to anybody: there is nothing to enable.' }),
} as const
