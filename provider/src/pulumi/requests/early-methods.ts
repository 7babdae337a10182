import { version } from '../../version.ts'
import { attach, getPluginInfo, handshake } from '../protocol/early-messages.ts'
import { type Complain, type UnaryMethod, unaryMethod } from './unary-method.ts'

/**
 * What Pulumi calls before anything else, answered without loading the rest. `onEngineAddress` gets the engine's
 * address.
 */
export const earlyMethods = (
  complain: Complain,
  onEngineAddress: (address: string) => void,
): Readonly<Record<string, UnaryMethod>> => ({
  Handshake: unaryMethod(handshake, 'shook hands', complain, async ({ engineAddress }) => {
    onEngineAddress(engineAddress)
    // values with marks are understood, but for those that only a component needs
    return { acceptSecrets: true, acceptResources: true }
  }),
  Attach: unaryMethod(attach, 'was attached', complain, async ({ address }) => {
    onEngineAddress(address)
    return {}
  }),
  GetPluginInfo: unaryMethod(getPluginInfo, 'asked for its version', complain, async () => ({ version })),
})
