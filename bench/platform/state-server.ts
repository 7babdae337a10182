import { once } from 'node:events'
import { createServer } from 'node:http'

/** What stands in a configuration's `terraform` block. */
export type Backend = { readonly backend?: { readonly http: { readonly address: string } } }

type CleanUp = () => Promise<void> | void

/** Keeps states for Terraform's backend `http`, and returns the backend of a name. */
export async function startStateServer(t: { after(cleanUp: CleanUp): void }): Promise<(name: string) => Backend> {
  const states = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const { url = '', method } = request
    if (method === 'GET') {
      const state = states.get(url)
      response.writeHead(state ? 200 : 404).end(state)
      return
    }
    states.set(url, Buffer.concat(await request.toArray()))
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return (name) => ({ backend: { http: { address: `http://127.0.0.1:${port}/${name}` } } })
}
