/** The request for a component, and its requests to Pulumi's resource monitor, by field numbers. */
import { bool, mapOf, message, one, text, texts, textsByKey } from '../../protobuf/index.ts'
import { struct } from '../values/struct.ts'

const properties = (number: number) => one(number, () => struct)
const dependencies = message({ urns: texts(1) })

export const construct = {
  request: message({
    dryRun: bool(4),
    monitorEndpoint: text(6),
    type: text(7),
    name: text(8),
    parent: text(9),
    inputs: properties(10),
    inputDependencies: mapOf(11, () => dependencies),
    protect: bool(12),
    providers: textsByKey(13),
    aliases: texts(14),
    dependencies: texts(15),
  }),
  response: message({ urn: text(1), state: properties(2), stateDependencies: mapOf(3, () => dependencies) }),
}

export const registerResource = {
  request: message({
    type: text(1),
    name: text(2),
    parent: text(3),
    custom: bool(4),
    object: properties(5),
    protect: bool(6),
    dependencies: texts(7),
    provider: text(8),
    propertyDependencies: mapOf(9, () => dependencies),
    version: text(11),
    acceptSecrets: bool(13),
    aliasURNs: texts(15),
    supportsPartialValues: bool(19),
    providers: textsByKey(22),
  }),
  response: message({ urn: text(1), id: text(2), object: properties(3) }),
}

export const registerResourceOutputs = { request: message({ urn: text(1), outputs: properties(2) }) }
