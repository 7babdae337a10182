/**
 * What is made of most of the program, zod and the catalogue among it, is loaded by these functions: a start need not
 * wait for it.
 */
import type { Environment } from './make-provider.ts'
import type { ExampleOf, ReferencePage } from './reference-page.ts'
import type { Answering } from './requests/provider-service.ts'

export async function loadAnswering(environment: Environment): Promise<Answering> {
  const { makeAnswering } = await import('./make-provider.ts')
  return makeAnswering(environment)
}

/** The reference documentation, made from the declarations. */
export async function loadReferencePages(exampleOf: ExampleOf): Promise<readonly ReferencePage[]> {
  const { makeProvider } = await import('./make-provider.ts')
  const { referencePages } = await import('./reference-page.ts')
  return referencePages(makeProvider({}).declaration, exampleOf)
}

/** The content of encoded-schema.ts. */
export async function loadEncodedSchema(): Promise<string> {
  const { providerService } = await import('./requests/provider-service.ts')
  const { GetProviderSchema } = providerService(
    () => loadAnswering({}),
    (_, error) => {
      throw error
    },
  )
  return GetProviderSchema.encode(await GetProviderSchema.answer({})).toString('base64')
}
