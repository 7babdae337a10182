import type { Encodable } from '../../protobuf/index.ts'
import { loadPulumiSchema } from '../load.ts'
import type { getSchema } from '../protocol/provider-messages.ts'

/** The types of everything there is, for the generators of SDKs and for YAML. */
export const answerGetSchema = async (): Promise<Encodable<typeof getSchema.response>> => ({
  schema: JSON.stringify(await loadPulumiSchema()),
})
