import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpClient, HttpRequest, HttpResult } from '../http-client/index.ts'

/** Remote schemas of a sandbox stand at addresses below this one, each named by its file. */
const recordings = 'http://recorded.invalid/'

/**
 * Returns the HTTP client of a sandbox, which calls nothing. Remote schemas are answered from recorded introspections,
 * `<directory>/<name>.json`; everything else fails.
 */
export const recordedClient = (directory: string): HttpClient => ({
  send: async (request) => (await answerOf(request, directory)) ?? refused,
  close: () => {},
})

async function answerOf({ purpose, url }: HttpRequest, directory: string): Promise<HttpResult | null> {
  const name = url.startsWith(recordings) ? url.slice(recordings.length) : ''
  if (purpose !== 'remote-schema' || !/^[\w%-]+$/.test(name)) return null
  const body = await readFile(join(directory, `${name}.json`)).catch(() => null)
  return body && { kind: 'response', status: 200, headers: [], body, milliseconds: 0 }
}

const refused: HttpResult = {
  kind: 'failure',
  failure: 'refused-address',
  message: 'nothing is called from a sandbox',
  code: null,
  milliseconds: 0,
}
