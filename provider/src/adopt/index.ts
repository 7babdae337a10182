/**
 * adopt: a live engine's objects as a project of another tool that takes them over. Begin at adopt-document.ts (objects to
 * resources that name each other); a file for each tool's language writes them.
 */

export { adoptDocument } from './adopt-document.ts'
export type { AdoptedResource, Adoption } from './adopted-resource.ts'
export type { Expression } from './expression.ts'
export { attributeLines, hclOf } from './hcl.ts'
export type { ProjectFile } from './project-file.ts'
export { pulumiFiles } from './pulumi-files.ts'
export { terraformFiles } from './terraform-files.ts'
