import { randomUUID } from 'node:crypto'
import type { Headers } from '../auth/index.ts'

/** The client's own, where it is one. */
export const requestIdOf = ({ 'x-request-id': given }: Headers): string =>
  typeof given === 'string' && given !== '' && given.length <= 256 ? given : randomUUID()
