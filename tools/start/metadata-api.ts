import { z } from 'zod'
import { StartError } from './terminal.ts'

export type Operation = { readonly type: string; readonly args: unknown; readonly version?: number }

export type Api = {
  readonly url: string
  readonly adminSecret: string
}

/** One metadata operation. @throws StartError with the engine's own words. */
export async function send({ url, adminSecret }: Api, operation: Operation): Promise<unknown> {
  const response = await fetch(new URL('/v1/metadata', url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Svc-Admin-Secret': adminSecret,
      'X-Svc-Role': 'admin',
      'X-Svc-Actor': 'npm start',
    },
    body: JSON.stringify(operation),
  })
  const body: unknown = await response.json()
  if (response.ok) return body
  const { error, code, path } = failure.parse(body)
  throw new StartError(`${operation.type} failed: ${error} (${code} at ${path})`)
}

const failure = z.object({ error: z.string(), code: z.string(), path: z.string() })
