import type { Backend } from './backend.ts'
import { postgres } from './postgres/index.ts'

/** The backends of this version: the one list of them. */
export const allBackends: readonly Backend[] = [postgres]
