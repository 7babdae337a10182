/** What Pulumi sends before anything is loaded, by field numbers: no properties among it, whose codec knows values. */
import { bool, message, text } from '../../protobuf/index.ts'

export const empty = message({})

export const handshake = {
  request: message({ engineAddress: text(1) }),
  response: message({ acceptSecrets: bool(1), acceptResources: bool(2), acceptOutputs: bool(3) }),
}

export const attach = { request: message({ address: text(1) }), response: empty }

export const getPluginInfo = { request: empty, response: message({ version: text(1) }) }
