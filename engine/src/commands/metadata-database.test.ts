import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/postgres.ts'
import { FatalError, type ServerConfig } from '../config/index.ts'
import { exportMetadata } from './export-metadata.ts'

const refusal = async (metadataUrl: string): Promise<string> => {
  const config = { database: { kind: 'url', metadataUrl } } as unknown as ServerConfig
  const error: unknown = await exportMetadata(config).catch((caught: unknown) => caught)
  assert.ok(error instanceof FatalError, String(error))
  return error.message
}

test('a command that does not reach its database says why, and no password', async () => {
  assert.match(
    await refusal('postgres://svc:secret@127.0.0.1:1/none'),
    /^postgres:\/\/svc:\*+@127\.0\.0\.1:1\/none: connection error: connect ECONNREFUSED/,
  )
  const { url } = await createTestDatabase()
  const wrong = new URL(url)
  wrong.pathname = '/nowhere'
  const message = await refusal(wrong.href)
  assert.match(message, /: connection error: database "nowhere" does not exist$/)
  assert.ok(wrong.password === '' || !message.includes(wrong.password))
})
