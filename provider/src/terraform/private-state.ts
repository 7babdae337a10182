import type { Made } from '../core/index.ts'

/** What is stored next to a resource's state, and between its plan and its apply. */
export interface PrivateState {
  readonly made?: Made
  /** Of a plan: the id that the resource had. */
  readonly id?: string
  /** Of a plan: what is there is the resource's own, since it is made again under its identity. */
  readonly anew?: true
  /** Of an import: not read yet, or read once, by the run that imports it. */
  readonly imported?: 'named' | 'read'
}

/** Of another shape, as a version of the provider that stored nothing leaves it: nothing. */
export function readPrivate(bytes: Buffer): PrivateState {
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof json === 'object' && json !== null ? json : {}
  } catch {
    return {}
  }
}

export const writePrivate = (state: PrivateState): Buffer =>
  Object.values(state).some((value) => value !== undefined) ? Buffer.from(JSON.stringify(state)) : Buffer.alloc(0)
