export { type ExampleLanguage, type Examples, exampleLanguages, examples } from './examples.ts'
export type { PackageSpec } from './package-spec.ts'
export { pulumiSchema } from './pulumi-schema.ts'
