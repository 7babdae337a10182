/**
 * pulumi: the provider as Pulumi's engine wants it (`pulumirpc.ResourceProvider`). Begin at run-plugin.ts (a process's
 * life), names.ts (how attributes and kinds are called there) and requests/ (one file a request); values/ and protocol/
 * are what goes over the wire. Everything about metadata is in core; nothing here knows a kind.
 */
export { loadPulumiSchema } from './load.ts'
export { functionToken, PACKAGE_NAME, pulumiAttributes, pulumiName, resourceToken } from './names.ts'
export { runPlugin } from './run-plugin.ts'
export type {
  Examples as PulumiExamples,
  FunctionSpec,
  PackageSpec,
  Properties,
  ResourceSpec,
  TypeSpec,
} from './schema/index.ts'
export { storedVersion } from './state-version.ts'
export { readFormerNames } from './values/named-values.ts'
export { SECRET, SIGNATURE } from './values/signatures.ts'
