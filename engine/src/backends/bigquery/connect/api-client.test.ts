import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { SourceUnavailable } from '../../backend.ts'
import { connect } from './connect.ts'

test('without the package a source says what to install', async (t) => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== '@svc/bigquery') return next(specifier, context)
      throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
  t.after(() => hooks.deregister())
  const settings = {
    source: 'bq',
    account: { clientEmail: 'a@b', privateKey: 'none' },
    projectId: 'acme',
    datasets: [],
    globalSelectLimit: 1000,
    retryLimit: 0,
    retryBaseDelay: 0,
    maximumBytesBilled: 0,
    apiEndpoint: 'http://127.0.0.1:9',
    tokenEndpoint: 'http://127.0.0.1:9',
  }
  await assert.rejects(
    connect(settings, () => {}),
    (error) =>
      error instanceof SourceUnavailable &&
      error.message === 'sources on BigQuery need the package @svc/bigquery: npm install @svc/bigquery',
  )
})
