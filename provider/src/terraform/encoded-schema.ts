/**
 * The answer to GetProviderSchema as bytes, which the build puts here: Terraform starts a process of its own to request
 * the schema, and that one then loads nothing. Null: it is made when it is requested.
 */
export const encodedSchema: string | null = null
