import { ClientError, type EngineErrorBody } from './client-error.ts'

export interface RefusedMember {
  readonly index: number
  readonly error: EngineErrorBody
}

/**
 * Which member of a bulk of so many made the engine refuse the whole request, such as one that does not parse
 * (docs/metadata-api.md#bulks): by the path of the refusal. Null: the refusal is not about a single member.
 */
export function refusedMember(error: unknown, members: number): RefusedMember | null {
  if (!(error instanceof ClientError) || error.problem !== 'refused' || !error.body) return null
  const { path } = error.body
  const [, digits] = /^\$\.args\[(\d+)\]/.exec(path) ?? []
  const index = Number(digits ?? Number.NaN)
  return index < members ? { index, error: error.body } : null
}
