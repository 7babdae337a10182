/** docs/reference is what the engine takes: generated pages are those of the declarations, examples are valid. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { decode } from '@svc/schema'
import { exampleArgs } from '../../tools/docs/example-value.ts'
import { documentedOperations, operationPages, REFERENCE_PAGES } from '../../tools/docs/operation-pages.ts'

const page = (file: string): Promise<string> => readFile(join(REFERENCE_PAGES, file), 'utf8')

test('the pages of arguments are what `npm run docs` makes of the declarations', async () => {
  for (const { file, text } of operationPages()) assert.ok((await page(file)) === text, `${file}: run npm run docs`)
})

test('the arguments of each example can be read', () => {
  for (const { type, args, jsonSchema } of documentedOperations()) {
    const result = decode(args, exampleArgs(type, jsonSchema))
    assert.ok(result.ok, `${type}: ${result.ok ? '' : JSON.stringify(result.issue)}`)
  }
})

test('the OpenAPI document is one', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(await page('openapi.json')))
  assert.ok(valid, JSON.stringify(errors)?.slice(0, 2000))
})

test('each operation is explained', async () => {
  const text =
    (await page('metadata-operations.md')) + (await page('metadata-requests.md')) + (await page('row-api.md'))
  const named = text.replaceAll(/`([^`]*)\{([^}`]*)\}([^`]*)`/g, (_, before, middle: string, after) =>
    middle
      .split(',')
      .map((word) => `\`${before}${word}${after}\``)
      .join(' '),
  )
  const names = new Set([...named.matchAll(/[a-z_]{4,}/g)].map(([name]) => name.replace(/^(pg)?_/, '')))
  const missing = documentedOperations()
    .map(({ type }) => type.replace(/^pg_/, ''))
    .filter((name) => !names.has(name))
  assert.deepEqual(missing, [])
})
