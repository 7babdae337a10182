import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import type { Json } from '@svc/schema'
import { Ajv } from 'ajv'
import { completeMetadata } from '../../../test/metadata/complete-metadata.ts'
import { directoryFiles } from './directory-files.ts'
import { parseYaml } from './yaml-text.ts'

const files = directoryFiles(completeMetadata)
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false })

/** What an editor finds wrong with a text in the place of a file, by the schema that its first line names. */
function problems(file: string, text: string): readonly string[] {
  const [, named = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(files.get(file) ?? '') ?? []
  const schema = files.get(posix.join(posix.dirname(file), named))
  assert.ok(schema, `${file} names its schema`)
  const validate = ajv.compile(JSON.parse(schema))
  validate(parseYaml(text, file) as Json)
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  return errors.map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter((part) => part !== undefined).join(' '),
  )
}

test('every file of a directory keeps to the schema that its first line names', () => {
  const yaml = [...files].filter(([path]) => path.endsWith('.yaml'))
  assert.ok(yaml.length > 15)
  for (const [path, text] of yaml) assert.deepEqual(problems(path, text), [], path)
})

test('a key that is misspelt, or of the wrong type, is found at its place', () => {
  const [path, table] = [...files].find(([, text]) => text.includes('\nselect_permissions:')) ?? ['', '']
  assert.deepEqual(problems(path, table.replace('\nselect_permissions:', '\nselect_permisions:')), [
    ' must NOT have additional properties select_permisions',
  ])
  assert.deepEqual(problems('version.yaml', 'version: 2'), ['/version must be equal to constant'])
  assert.match(
    problems('cron_triggers.yaml', '- { name: a, webhook: b, schedule: "* * * * *", include_in_metadata: 1 }').join(),
    /include_in_metadata must be boolean/,
  )
})

test('files may include other files, and actions.yaml leaves out what is in the SDL', () => {
  assert.deepEqual(problems('query_collections.yaml', '- "!include a.yaml"'), [])
  const database = (configuration: string) =>
    `- { name: a, kind: mssql, configuration: ${configuration}, tables: "!include a/tables.yaml" }`
  const right = database('{ connection_info: { connection_string: { from_env: A } } }')
  assert.deepEqual(problems('databases/databases.yaml', right), [])
  assert.deepEqual(problems('databases/databases.yaml', database('{ project_id: a }')), [
    "/0/configuration must have required property 'connection_info'",
    '/0/configuration must NOT have additional properties project_id',
  ])
  assert.deepEqual(
    problems(
      'actions.yaml',
      'actions: [{ name: a, definition: { handler: b } }]\ncustom_types: { objects: [{ name: c }] }',
    ),
    [],
  )
})
