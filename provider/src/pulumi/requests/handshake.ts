import type { Encodable } from '../../protobuf/index.ts'
import type { getPluginInfo, handshake } from '../protocol/early-messages.ts'
import { version } from '../version.ts'

/** Values with marks are understood, but for those that only a component needs. */
export const answerHandshake = async (): Promise<Encodable<typeof handshake.response>> => ({
  acceptSecrets: true,
  acceptResources: true,
})

export const answerGetPluginInfo = async (): Promise<Encodable<typeof getPluginInfo.response>> => ({ version })
