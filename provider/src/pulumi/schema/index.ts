export type { Examples } from './examples.ts'
export type { FunctionSpec, Properties, ResourceSpec, TypeSpec } from './package-spec.ts'
export { type PackageSpec, pulumiSchema } from './pulumi-schema.ts'
