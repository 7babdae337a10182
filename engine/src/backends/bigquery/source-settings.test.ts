import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import type { BigqueryConfiguration } from '@svc/schema'
import { sourceSettings } from './source-settings.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const account = { client_email: 'a@b', private_key: privateKey, project_id: 'other', token_uri: 'https://elsewhere' }
const environment = {
  KEY: JSON.stringify(account),
  PROJECT: 'acme',
  DATASETS: 'music, shop,,music',
  LIMIT: '7',
  WORD: 'seven',
}
const context = { environment, defaults: { usePreparedStatements: true } }
const minimal = {
  service_account: account,
  project_id: 'acme',
  datasets: ['music'],
} as unknown as BigqueryConfiguration
const read = (more: object) => sourceSettings('bq', { ...minimal, ...more } as BigqueryConfiguration, context)

test('what is left out has the values of the reference, and a bound of the cost', () => {
  assert.deepEqual(read({}), {
    source: 'bq',
    account: { clientEmail: 'a@b', privateKey },
    projectId: 'acme',
    datasets: ['music'],
    globalSelectLimit: 1000,
    retryLimit: 5,
    retryBaseDelay: 500_000,
    maximumBytesBilled: 10_000_000_000,
    apiEndpoint: 'https://bigquery.googleapis.com',
    tokenEndpoint: 'https://www.googleapis.com/oauth2/v4/token',
  })
})

test('the account is an object, its text, or a variable; lists and numbers may be texts', () => {
  for (const service_account of [JSON.stringify(account), { from_env: 'KEY' }])
    assert.deepEqual(read({ service_account }), read({}))
  assert.deepEqual(read({ project_id: { from_env: 'PROJECT' } }), read({}))
  assert.equal(read({ project_id: 123 }).projectId, '123')
  assert.deepEqual(read({ datasets: { from_env: 'DATASETS' } }).datasets, ['music', 'shop'])
  const { globalSelectLimit, retryLimit, retryBaseDelay, maximumBytesBilled } = read({
    global_select_limit: { from_env: 'LIMIT' },
    retry_limit: '0',
    retry_base_delay: 1,
    maximum_bytes_billed: 0,
  })
  assert.deepEqual([globalSelectLimit, retryLimit, retryBaseDelay, maximumBytesBilled], [7, 0, 1, 0])
})

test('what cannot be used says why, and shows no part of a key', () => {
  const { privateKey: ecKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const noAccount = 'the service account must be an object, or its JSON text, with client_email and private_key'
  const wrong: readonly (readonly [object, string])[] = [
    [{ service_account: { from_env: 'NONE' } }, "environment variable 'NONE' not set"],
    [{ service_account: { ...account, private_key: 'SECRET' } }, 'unable to parse private key'],
    [{ service_account: { ...account, private_key: ecKey } }, 'unable to parse private key'],
    [{ service_account: '{"private_key": "SECRET' }, noAccount],
    [{ service_account: {} }, noAccount],
    [{ project_id: 'a/b' }, '"a/b" is not the name of a project id'],
    [{ datasets: ['a`b'] }, '"a`b" is not the name of a dataset'],
    [{ datasets: 5 }, 'the datasets must be a list of names'],
    [{ global_select_limit: { from_env: 'WORD' } }, 'Need a non-negative integer for global select limit'],
    [{ retry_limit: 1.5 }, 'Need a non-negative integer for retry limit'],
    [{ retry_base_delay: -1 }, 'Need the integer for the retry base delay to be non-negative'],
  ]
  for (const [more, message] of wrong) assert.throws(() => read(more), { message })
})
