export type { Examples } from './examples.ts'
export type { FunctionSpec, PackageSpec, Properties, ResourceSpec, TypeSpec } from './package-spec.ts'
export { pulumiSchema } from './pulumi-schema.ts'
