import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeMetadata } from '../../test/metadata/complete-metadata.ts'
import { damage } from '../../test/metadata/damage.ts'
import { respell } from '../../test/metadata/respell.ts'
import {
  diffDocuments,
  type JsonObject,
  type MetadataDocument,
  objectTypes,
  readMetadata,
  writeMetadata,
} from './index.ts'

function documentOf(json: unknown): MetadataDocument {
  const read = readMetadata(json)
  assert.ok(read.ok, read.ok ? '' : `${JSON.stringify(read.issue)}`)
  return read.document
}

const issueOf = (json: unknown) => {
  const read = readMetadata(json)
  assert.ok(!read.ok)
  return read.issue
}

const withTable = (table: JsonObject): JsonObject => ({
  version: 3,
  sources: [
    { name: 'default', kind: 'postgres', tables: [table], configuration: { connection_info: { database_url: 'x' } } },
  ],
})

test('the export of what was read is byte-equal when it was canonical', () => {
  const written = writeMetadata(documentOf(completeMetadata))
  assert.equal(JSON.stringify(written, null, 2), JSON.stringify(completeMetadata, null, 2))
})

test('the complete metadata holds every kind of object', () => {
  const document = documentOf(completeMetadata)
  const seen = new Set<string>()
  const walk = (node: MetadataDocument) => {
    for (const [type, objects] of Object.entries(node.children)) {
      seen.add(type)
      for (const object of objects.values()) walk(object)
    }
  }
  walk(document)
  assert.deepEqual(
    objectTypes.filter((type) => !seen.has(type)),
    [],
  )
})

test('every spelling of the same metadata is read as the same document', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const written = writeMetadata(documentOf(respell(completeMetadata, seed)))
    assert.equal(JSON.stringify(written), JSON.stringify(completeMetadata), `seed ${seed}`)
  }
})

test('unknown keys are ignored at the top and in a source, and named', () => {
  const read = readMetadata({
    version: 3,
    extra: 1,
    sources: [{ name: 'a', more: 1, tables: [], configuration: { connection_info: { database_url: 'x' } } }],
  })
  assert.ok(read.ok)
  assert.deepEqual(read.ignored, [['extra'], ['sources', 0, 'more']])
})

test('a table with an unknown key is refused', () => {
  assert.deepEqual(issueOf(withTable({ table: 'a', select_permission: [] })), {
    path: ['sources', 0, 'tables', 0],
    message: 'unexpected keys when parsing TableMetadata: ["select_permission"]',
    unknown: ['select_permission'],
  })
})

test('an unknown key elsewhere is kept', () => {
  const permission = { role: 'u', permission: { columns: ['id'], filter: {}, future: { a: 1 } } }
  const written = writeMetadata(documentOf(withTable({ table: 'a', select_permissions: [permission] })))
  assert.ok(JSON.stringify(written).includes('"future":{"a":1}'))
})

test('two permissions of a role on a table are refused, of two tables the later one counts', () => {
  const permission = { role: 'user_a', permission: { columns: '*', filter: {} } }
  assert.deepEqual(issueOf(withTable({ table: 'a', select_permissions: [permission, permission] })), {
    path: ['sources', 0, 'tables', 0, 'select_permissions'],
    message: 'multiple declarations exist for the following select permissions: user_a',
  })
  const twice = writeMetadata(
    documentOf({
      version: 3,
      sources: [
        {
          name: 'default',
          configuration: { connection_info: { database_url: 'x' } },
          tables: [{ table: 'a' }, { table: { name: 'a', schema: 'public' }, is_enum: true }],
        },
      ],
    }),
  )
  assert.ok(JSON.stringify(twice).includes('[{"table":{"name":"a","schema":"public"},"is_enum":true}]'))
})

test('versions 1 and 2 put tables and functions into the source default', () => {
  for (const [version, functions] of [
    [undefined, ['f']],
    [1, [{ schema: 'public', name: 'f' }]],
    [2, [{ function: 'f' }]],
  ] as const) {
    const read = readMetadata({ ...(version ? { version } : {}), tables: [{ table: 'a' }], functions })
    assert.ok(read.ok)
    assert.equal(read.version, version ?? 1)
    assert.deepEqual(writeMetadata(read.document).sources, [
      {
        name: 'default',
        kind: 'postgres',
        tables: [{ table: { name: 'a', schema: 'public' } }],
        functions: [{ function: { name: 'f', schema: 'public' } }],
      },
    ])
  }
  assert.deepEqual(issueOf({}), { path: [], message: 'key "tables" not found' })
  assert.deepEqual(issueOf({ version: 4 }), { path: ['version'], message: 'expected 1, 2 or 3, encountered 4' })
})

test('a problem deep inside is reported with its path', () => {
  const permission = { role: 'u', permission: { columns: ['id', 7], filter: {} } }
  assert.deepEqual(issueOf(withTable({ table: 'a', select_permissions: [permission] })), {
    path: ['sources', 0, 'tables', 0, 'select_permissions', 0, 'permission', 'columns', 1],
    message: 'expected string, encountered number',
  })
  assert.deepEqual(issueOf(withTable({ table: 'a', select_permissions: 5 })), {
    path: ['sources', 0, 'tables', 0, 'select_permissions'],
    message: 'expected list',
  })
  assert.deepEqual(issueOf({ version: 3, sources: [5] }), { path: ['sources', 0], message: 'expected object' })
})

test('ten thousand levels of a filter are refused without overflowing the stack', () => {
  let filter: JsonObject = {}
  for (let i = 0; i < 10_000; i++) filter = { _and: [filter] }
  const permission = { role: 'u', permission: { columns: '*', filter } }
  assert.match(issueOf(withTable({ table: 'a', select_permissions: [permission] })).message, /nested more than 500/)
})

test('cron triggers that are not meant for the metadata are kept but not exported', () => {
  const trigger = { name: 'a', webhook: 'http://x', schedule: '* * * * *', include_in_metadata: false }
  const document = documentOf({ version: 3, cron_triggers: [trigger] })
  assert.equal(document.children.cron_trigger?.size, 1)
  assert.deepEqual(writeMetadata(document), { version: 3, sources: [] })
})

test('top-level objects that equal their defaults are not kept', () => {
  const document = documentOf({
    version: 3,
    custom_types: { enums: [] },
    network: { tls_allowlist: [] },
    opentelemetry: {},
    api_limits: { disabled: false },
  })
  assert.deepEqual(document.children, {})
})

test('damaged metadata is either refused with a place or read as something that remains the same', () => {
  let refused = 0
  for (let seed = 1; seed <= 1000; seed++) {
    const read = readMetadata(damage(completeMetadata, seed))
    if (!read.ok) {
      refused++
      assert.ok(read.issue.message.length > 0, `seed ${seed}`)
      continue
    }
    const written = JSON.stringify(writeMetadata(read.document))
    assert.equal(JSON.stringify(writeMetadata(documentOf(JSON.parse(written)))), written, `seed ${seed}`)
  }
  assert.ok(refused > 250, `${refused} refused`)
  assert.equal('polluted' in {}, false)
})

test('what is equal to what is known is made of its parts, and anything else is read as if nothing were known', () => {
  const known = documentOf(completeMetadata)
  const shared = (json: unknown) => readMetadata(json, known)
  for (const json of [completeMetadata, writeMetadata(known)]) {
    const read = shared(structuredClone(json))
    assert.ok(read.ok && read.document.children === known.children)
  }
  for (let seed = 1; seed <= 300; seed++) {
    const damaged = damage(completeMetadata, seed)
    const [now, anew] = [shared(damaged), readMetadata(damaged)]
    assert.equal(now.ok, anew.ok, `seed ${seed}`)
    if (!now.ok || !anew.ok) {
      assert.deepEqual(now, anew, `seed ${seed}`)
      continue
    }
    assert.deepEqual(diffDocuments(anew.document, now.document), [], `seed ${seed}`)
    assert.equal(JSON.stringify(writeMetadata(now.document)), JSON.stringify(writeMetadata(anew.document)))
    assert.deepEqual(now.ignored, anew.ignored)
  }
})

test('unknown keys inside objects are found where it is asked, in either spelling, and kept', () => {
  const unknownIn = (json: unknown, known?: MetadataDocument) => {
    const read = readMetadata(json, known, { findUnknown: true })
    assert.ok(read.ok, read.ok ? '' : JSON.stringify(read.issue))
    return read.unknown.map(({ path }) => path.join('.'))
  }
  assert.deepEqual(unknownIn(completeMetadata), [])
  assert.deepEqual(unknownIn(respell(completeMetadata, 1)), [])
  const odd = withTable({
    table: 'a',
    select_permissions: [{ role: 'user', permission: { columns: [], filter: { odd: {} }, limt: 3 }, odd: null }],
  })
  const found = [
    'sources.0.tables.0.select_permissions.0.permission.limt',
    'sources.0.tables.0.select_permissions.0.odd',
  ]
  assert.deepEqual(unknownIn(odd), found)
  assert.deepEqual(unknownIn(odd, documentOf(odd)), found)
  const read = readMetadata(odd)
  assert.ok(read.ok && read.unknown.length === 0)
  assert.match(JSON.stringify(writeMetadata(read.document)), /"limt":3/)
})
