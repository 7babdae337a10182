/** Stands in for the processes of Terraform's and Pulumi's plugins, which a page does not run. */
export const loadEncodedSchema = null
export const loadPulumiSchema = null
export const loadReferencePages = null
export const runPlugin = null
