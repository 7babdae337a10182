/** The messages of Terraform's plugin protocol 6 (6.8) that this provider reads and writes, by their field numbers. */
import {
  bool,
  bytes,
  type Encodable,
  enumeration,
  int64,
  type Message,
  many,
  mapOf,
  maybeInt64,
  maybeText,
  message,
  one,
  text,
} from '../../protobuf/index.ts'

export const dynamicValue = message({ msgpack: bytes(1), json: bytes(2) })

const pathStep = message({ attributeName: maybeText(1), elementKeyString: maybeText(2), elementKeyInt: maybeInt64(3) })
export type PathStep = Encodable<typeof pathStep>
const attributePath = message({ steps: many(1, () => pathStep) })

const diagnostic = message({
  severity: enumeration(1, ['invalid', 'error', 'warning']),
  summary: text(2),
  detail: text(3),
  attribute: one(4, () => attributePath),
})
export type DiagnosticMessage = Encodable<typeof diagnostic>

const stringKinds = ['plain', 'markdown'] as const
const nestingModes = ['invalid', 'single', 'list', 'set', 'map'] as const
type NestingMode = (typeof nestingModes)[number]

export interface SchemaAttribute {
  readonly name?: string
  /** A type constraint in JSON; empty where there is a nested type. */
  readonly type?: Uint8Array
  readonly description?: string
  readonly required?: boolean
  readonly optional?: boolean
  readonly computed?: boolean
  readonly sensitive?: boolean
  readonly descriptionKind?: (typeof stringKinds)[number]
  readonly nestedType?: NestedType
  readonly writeOnly?: boolean
}
export interface NestedType {
  readonly attributes?: readonly SchemaAttribute[]
  readonly nesting?: NestingMode
}

const schemaAttribute: Message<unknown, SchemaAttribute> = message({
  name: text(1),
  type: bytes(2),
  description: text(3),
  required: bool(4),
  optional: bool(5),
  computed: bool(6),
  sensitive: bool(7),
  descriptionKind: enumeration(8, stringKinds),
  nestedType: one(10, (): Message<unknown, NestedType> => nestedType),
  writeOnly: bool(11),
})
const nestedType: Message<unknown, NestedType> = message({
  attributes: many(1, () => schemaAttribute),
  nesting: enumeration(3, nestingModes),
})

const schemaBlock = message({
  attributes: many(2, () => schemaAttribute),
  description: text(4),
  descriptionKind: enumeration(5, stringKinds),
})
const schema = message({ version: int64(1), block: one(2, () => schemaBlock) })
export type SchemaMessage = Encodable<typeof schema>

const serverCapabilities = message({
  planDestroy: bool(1),
  getProviderSchemaOptional: bool(2),
  moveResourceState: bool(3),
})

const diagnostics = (number: number) => many(number, () => diagnostic)
const value = (number: number) => one(number, () => dynamicValue)

const rawState = message({ json: bytes(1) })
const typeName = message({ typeName: text(1) })

export const getMetadata = {
  request: message({}),
  response: message({
    serverCapabilities: one(1, () => serverCapabilities),
    diagnostics: diagnostics(2),
    dataSources: many(3, () => typeName),
    resources: many(4, () => typeName),
  }),
}

export const getProviderSchema = {
  request: message({}),
  response: message({
    provider: one(1, () => schema),
    resourceSchemas: mapOf(2, () => schema),
    dataSourceSchemas: mapOf(3, () => schema),
    diagnostics: diagnostics(4),
    serverCapabilities: one(6, () => serverCapabilities),
  }),
}

export const validateProviderConfig = {
  request: message({ config: value(1) }),
  response: message({ diagnostics: diagnostics(2) }),
}

export const validateResourceConfig = {
  request: message({ typeName: text(1), config: value(2) }),
  response: message({ diagnostics: diagnostics(1) }),
}

export const validateDataResourceConfig = {
  request: message({ typeName: text(1), config: value(2) }),
  response: message({ diagnostics: diagnostics(1) }),
}

export const upgradeResourceState = {
  request: message({ typeName: text(1), version: int64(2), rawState: one(3, () => rawState) }),
  response: message({ upgradedState: value(1), diagnostics: diagnostics(2) }),
}

export const configureProvider = {
  request: message({ terraformVersion: text(1), config: value(2) }),
  response: message({ diagnostics: diagnostics(1) }),
}

export const readResource = {
  request: message({ typeName: text(1), currentState: value(2), private: bytes(3) }),
  response: message({ newState: value(1), diagnostics: diagnostics(2), private: bytes(3) }),
}

export const planResourceChange = {
  request: message({
    typeName: text(1),
    priorState: value(2),
    proposedNewState: value(3),
    config: value(4),
    priorPrivate: bytes(5),
  }),
  response: message({
    plannedState: value(1),
    requiresReplace: many(2, () => attributePath),
    plannedPrivate: bytes(3),
    diagnostics: diagnostics(4),
  }),
}

export const applyResourceChange = {
  request: message({
    typeName: text(1),
    priorState: value(2),
    plannedState: value(3),
    config: value(4),
    plannedPrivate: bytes(5),
  }),
  response: message({ newState: value(1), private: bytes(2), diagnostics: diagnostics(3) }),
}

const importedResource = message({ typeName: text(1), state: value(2), private: bytes(3) })

export const importResourceState = {
  request: message({ typeName: text(1), id: text(2) }),
  response: message({ importedResources: many(1, () => importedResource), diagnostics: diagnostics(2) }),
}

export const moveResourceState = {
  request: message({
    sourceProviderAddress: text(1),
    sourceTypeName: text(2),
    sourceSchemaVersion: int64(3),
    sourceState: one(4, () => rawState),
    targetTypeName: text(5),
  }),
  response: message({ targetState: value(1), diagnostics: diagnostics(2) }),
}

export const readDataSource = {
  request: message({ typeName: text(1), config: value(2) }),
  response: message({ state: value(1), diagnostics: diagnostics(2) }),
}

export const stopProvider = {
  request: message({}),
  response: message({ error: text(1) }),
}
