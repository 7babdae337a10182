import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, type JsonObject, readMetadata } from '@svc/schema'
import { adoptDocument } from './adopt-document.ts'
import { pulumiFiles } from './pulumi-files.ts'
import { terraformFiles } from './terraform-files.ts'

function adopt(tables: readonly JsonObject[], more: JsonObject = {}, connection: JsonObject = {}) {
  const read = readMetadata({
    version: 3,
    sources: [
      {
        name: 'default',
        kind: 'postgres',
        configuration: { connection_info: { database_url: { from_env: 'PG' }, ...connection } },
        tables,
      },
    ],
    ...more,
  })
  assert.ok(read.ok, JSON.stringify(read))
  return adoptDocument(read.document)
}

const table = (name: string, more: JsonObject = {}, schema = 'public'): JsonObject => ({
  table: { schema, name },
  ...more,
})

const permission = (filter: JsonObject, more: JsonObject = {}): JsonObject => ({
  select_permissions: [{ role: 'user', permission: { columns: ['id'], filter, ...more } }],
})

const toOne = (name: string) => ({ name, using: { foreign_key_constraint_on: `${name}_id` } })

type Adopted = ReturnType<typeof adopt>

const terraform = (adopted: Adopted, file: string) => terraformFiles(adopted).find(({ name }) => name === file)?.text
const typescript = (adopted: Adopted) =>
  pulumiFiles(adopted, 'typescript', 'store').find(({ name }) => name === 'index.ts')?.text ?? ''
const yaml = (adopted: Adopted) =>
  pulumiFiles(adopted, 'yaml', 'store').find(({ name }) => name === 'Pulumi.yaml')?.text

test('what holds by default is not said, what differs is', () => {
  const adopted = adopt([table('album', { is_enum: true })])
  assert.equal(
    terraform(adopted, 'table.tf'),
    `resource "svc_table" "album" {
  source  = svc_source.default.name
  table   = { name = "album" }
  is_enum = true
}
`,
  )
})

test('each is named in short, where that is taken in full, and then with a number', () => {
  const adopted = adopt([
    table('order'),
    table('order', {}, 'sales'),
    table('sales_order'),
    table('sales-order'),
    table('sales order'),
  ])
  assert.deepEqual(
    [...(terraform(adopted, 'table.tf') ?? '').matchAll(/^resource "svc_table" "(.*)"/gm)].map(([, name]) => name),
    ['order', 'sales_order', 'default_public_sales_order', 'default_public_sales_order_2', 'default_sales_order'],
  )
})

test('a permission comes after the relationships of its filter, of other tables by name', () => {
  const adopted = adopt([
    table('album', { object_relationships: [toOne('artist')], ...permission({ artist: { label: { id: 1 } } }) }),
    table('artist', { object_relationships: [toOne('label'), toOne('owner')] }),
  ])
  assert.match(
    terraform(adopted, 'select_permission.tf') ?? '',
    / {2}depends_on = \[svc_object_relationship\.album_artist, svc_object_relationship\.artist_label\]\n/,
  )
  assert.match(
    typescript(adopted),
    /, \{ dependsOn: \[albumArtistObjectRelationship, artistLabelObjectRelationship\] \}\)\n/,
  )
})

test('a program declares what it names before it names it', () => {
  const program = typescript(
    adopt([
      table('album', { object_relationships: [toOne('artist')], ...permission({ artist: { id: 1 } }) }),
      table('artist', {
        array_relationships: [
          { name: 'albums', using: { foreign_key_constraint_on: { table: table('album').table ?? '', column: 'a' } } },
        ],
      }),
    ]),
  )
  const declared = new Set<string>()
  for (const [statement] of program.matchAll(/^(const|new) [\s\S]*?\)\n$/gm)) {
    const name = /^const (\w+)/.exec(statement)?.[1]
    for (const [, used = ''] of statement.matchAll(/: (\w+)\.\w+|dependsOn: \[(\w+)/g))
      if (used !== '') assert.ok(declared.has(used), `${used} in:\n${statement}`)
    if (name) declared.add(name)
  }
  assert.ok(declared.size > 2)
})

test('a secret becomes a variable, a variable of the engine remains', () => {
  const connection = {
    database_url: 'postgres://svc:hunter22@db/music',
    ssl_configuration: { sslmode: 'verify-full', sslpassword: { from_env: 'SSL_PASSWORD' } },
  }
  const adopted = adopt([], {}, connection)
  assert.equal(
    terraform(adopted, 'variables.tf'),
    'variable "default_database_url" {\n  type      = string\n  sensitive = true\n}\n',
  )
  assert.match(terraform(adopted, 'source.tf') ?? '', / = var\.default_database_url\n[\s\S]*from_env = "SSL_PASSWORD"/)
  assert.match(typescript(adopted), /databaseUrl: config\.requireSecret\('defaultSourceDatabaseUrl'\)/)
  assert.match(yaml(adopted) ?? '', /databaseUrl: \$\{defaultSourceDatabaseUrl\}/)
  for (const { name, text } of [...terraformFiles(adopted), ...pulumiFiles(adopted, 'yaml', 'x')])
    assert.ok(!text.includes('hunter22'), name)
  assert.equal(terraform(adopt([], {}, { database_url: '{{PG_URL}}' }), 'variables.tf'), undefined)
})

test('what no kind of resource stands for is reported', () => {
  const adopted = adopt([], { backend_configs: { dataconnector: { sheets: { uri: 'http://127.0.0.1:1' } } } })
  assert.deepEqual(adopted.left, ['backend_configs'])
})

test('a source that no resource stands for is left as it is, with what is in it', () => {
  const read = readMetadata({
    version: 3,
    sources: [
      {
        name: 'reports',
        kind: 'sheets',
        configuration: { uri: 'http://127.0.0.1:1' },
        tables: [{ table: { schema: 'dbo', name: 'album' } }],
      },
    ],
  })
  assert.ok(read.ok)
  assert.deepEqual(adoptDocument(read.document), { resources: [], left: ['source reports'] })
})

test('texts are the same in every language, templates and quotes among them', () => {
  const odd = `\${a} %{b} $\${c} $1 "d" 'e' \\ \n \u0000 é`
  const adopted = adopt([table('album', permission({ title: { _eq: odd } }))])
  const hcl = / {2}filter {2}= jsonencode\(\{ title = \{ _eq = "(.*)" \} \}\)\n/.exec(
    terraform(adopted, 'select_permission.tf') ?? '',
  )?.[1]
  assert.equal(hcl, `$\${a} %%{b} $$\${c} $1 \\"d\\" 'e' \\\\ \\n \\u0000 é`)
  const ts = / filter: \{ title: \{ _eq: (.*) \} \}/.exec(typescript(adopted))?.[1] ?? ''
  assert.equal(JSON.parse(ts), odd)
  assert.match(yaml(adopted) ?? '', /_eq: "\$\$\{a\} %\{b\} \$\$\$\$\{c\} \$\$1 /)
})

test('of a name that many relationships have none is waited for', () => {
  const names = Array.from({ length: 9 }, (_, i) => `t${i}`)
  const adopted = adopt([
    table('album', { object_relationships: [toOne('artist')], ...permission({ artist: { tenant: { id: 1 } } }) }),
    ...names.map((name) => table(name, { object_relationships: [toOne('tenant')] })),
  ])
  assert.match(
    terraform(adopted, 'select_permission.tf') ?? '',
    / {2}depends_on = \[svc_object_relationship\.album_artist\]\n/,
  )
})

test('long numbers keep their digits: Terraform has them as numbers, Pulumi as text of JSON', () => {
  const long = (digits: string) => JSON.rawJSON(digits) as unknown as Json
  const adopted = adopt([table('a', permission({ id: { _eq: long('9007199254740993') } }))])
  assert.match(
    terraform(adopted, 'select_permission.tf') ?? '',
    /filter\s+= jsonencode\(\{ id = \{ _eq = 9007199254740993 \} \}\)/,
  )
  assert.match(typescript(adopted), /filter: '\{"id":\{"_eq":9007199254740993\}\}'/)
  const huge = adopt([table('a', permission({ id: { _lt: long('1e400') } }))])
  assert.match(terraform(huge, 'select_permission.tf') ?? '', /filter\s+= "\{\\"id\\":\{\\"_lt\\":1e\+400\}\}"/)
})

test('a filter of any depth is written, in lines where it is long', () => {
  let filter: JsonObject = { name: { _eq: 'a'.repeat(120) } }
  for (let i = 0; i < 100; i++) filter = { _not: filter }
  const adopted = adopt([table('a', permission(filter))])
  for (const text of [terraform(adopted, 'select_permission.tf') ?? '', typescript(adopted)])
    assert.equal(text.match(/^ +_not( =|:) \{$/gm)?.length, 100)
})
