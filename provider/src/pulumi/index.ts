/**
 * pulumi: the provider as Pulumi's engine wants it (`pulumirpc.ResourceProvider`). Begin at names.ts: how attributes and
 * kinds are called there. Everything about metadata is in core; nothing here knows a kind.
 */
export { functionToken, PACKAGE_NAME, pulumiAttributes, pulumiName, resourceToken, snakeName } from './names.ts'
