import assert from 'node:assert/strict'
import { createRequire, registerHooks } from 'node:module'
import { test } from 'node:test'
import { SourceUnavailable } from '../../backend.ts'
import { mssql } from '../../index.ts'

const settings = { connection_info: { connection_string: 'Server=127.0.0.1,1;Uid=sa;Pwd=x;Encrypt=no' } }
const context = { environment: {}, defaults: { usePreparedStatements: true } }

/** Of the client's packages that this process has loaded. */
const loaded = (): readonly string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => /node_modules.(mssql|tedious|@azure)/.test(file))

test('the client is loaded with the first source, and without its package a source says what to install', async () => {
  const source = mssql.source('ms', settings, context)
  assert.deepEqual(loaded(), [])
  const hooks = registerHooks({
    resolve(specifier, from, next) {
      if (specifier !== '@svc/mssql') return next(specifier, from)
      throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
  await assert.rejects(
    source.open(() => {}),
    (error) =>
      error instanceof SourceUnavailable &&
      error.message === 'sources of SQL Server need the package @svc/mssql: npm install @svc/mssql',
  )
  assert.deepEqual(loaded(), [])
  hooks.deregister()
  // nothing listens there
  await assert.rejects(
    source.open(() => {}),
    SourceUnavailable,
  )
  assert.ok(loaded().length > 0)
})
