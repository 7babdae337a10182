export type { PackageSpec } from './package-spec.ts'
export { pulumiSchema } from './pulumi-schema.ts'
