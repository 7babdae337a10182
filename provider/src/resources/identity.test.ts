import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressText } from '@svc/schema'
import { catalogue, kindNamed } from './catalogue.ts'
import { addressOf, identityOf, importFormat, importId, parseImportId } from './identity.ts'
import { unknown } from './value.ts'

const kindOf = (name: string) => {
  const kind = kindNamed(name)
  assert.ok(kind)
  return kind
}

test('the id of every kind says which object, and can be read again whatever the names are', () => {
  const names = ['a', 'a/b', '100%', '%2F', 'ä b', '.', 'line\nbreak', '/']
  for (const kind of catalogue.filter(({ identityPaths }) => identityPaths.length > 0))
    for (const [i] of names.entries()) {
      const identity = kind.identityPaths.map((_, place) => names[(i + place) % names.length] ?? '')
      const parsed = parseImportId(kind, importId(identity))
      assert.ok(parsed.ok)
      assert.deepEqual(identityOf(kind, parsed.values), identity)
    }
})

test('ids are what people would write', () => {
  assert.deepEqual(
    catalogue.map((kind) => [importFormat(kind), importId(kind.example)]),
    [
      ['<name>', 'default'],
      ['<name>', 'shop'],
      ['<name>', 'warehouse'],
      ['<source>/<schema>/<table>', 'default/public/album'],
      ['<source>/<schema>/<table>/<name>', 'default/public/album/artist'],
      ['<source>/<schema>/<table>/<name>', 'default/public/artist/albums'],
      ['<source>/<schema>/<table>/<name>', 'default/public/album/duration'],
      ['<source>/<schema>/<function>', 'default/public/search_albums'],
      ['<source>/<name>', 'default/top_album'],
      ['<source>/<root_field_name>', 'default/top_albums'],
      ['<source>/<schema>/<stored_procedure>', 'shop/dbo/top_albums'],
      ['<source>/<schema>/<table>/<role>', 'default/public/album/user'],
      ['<source>/<schema>/<table>/<role>', 'default/public/album/user'],
      ['<source>/<schema>/<table>/<role>', 'default/public/album/user'],
      ['<source>/<schema>/<table>/<role>', 'default/public/album/user'],
      ['<source>/<logical_model>/<role>', 'default/top_album/user'],
      ['<source>/<schema>/<function>/<role>', 'default/public/search_albums/user'],
      ['<name>', 'crm'],
      ['<remote_schema>/<role>', 'crm/user'],
      ['<source>/<schema>/<table>/<name>', 'default/public/invoice/buyer'],
      ['<remote_schema>/<type_name>/<name>', 'crm/User/invoices'],
      ['<role_name>', 'editor'],
      ['<name>', 'albums'],
      ['<collection>', 'albums'],
      ['<name>', 'album'],
      ['<source>/<schema>/<table>/<name>', 'default/public/invoice/on_invoice'],
      ['<name>', 'daily_report'],
      ['custom_types', 'custom_types'],
      ['<name>', 'Order'],
      ['<name>', 'place_order'],
      ['<action>/<role>', 'place_order/buyer'],
      ['api_limits', 'api_limits'],
      ['metrics_config', 'metrics_config'],
      ['introspection_options', 'introspection_options'],
      ['open_telemetry', 'open_telemetry'],
      ['<host>[/<suffix>]', 'collector.internal/4318'],
    ],
  )
})

test('what there is one of has one id', () => {
  const kind = kindOf('CustomTypes')
  const parsed = parseImportId(kind, 'custom_types')
  assert.ok(parsed.ok)
  assert.deepEqual(identityOf(kind, parsed.values), ['custom_types'])
  assert.deepEqual(parseImportId(kind, 'types'), { ok: false, message: 'expected custom_types: there is one of it' })
})

test('a malformed id is reported with the form it has to have', () => {
  const message = (id: string) => {
    const parsed = parseImportId(kindOf('Table'), id)
    return parsed.ok ? '' : parsed.message
  }
  const form = 'expected <source>/<schema>/<table>, such as default/public/album'
  assert.equal(message('album'), `${form}; "album" has 1 part`)
  assert.equal(message('default/public/al/bum'), `${form}; "default/public/al/bum" has 4 parts`)
  assert.equal(message('default//album'), `${form}; a part of "default//album" is empty`)
  assert.equal(message('default/public/%'), `${form}; "%" is not percent-encoded text`)
})

test('an identity is known when all of it is', () => {
  const kind = kindOf('Table')
  const table = { schema: 'public', name: 'album' }
  assert.deepEqual(identityOf(kind, { source: 'default', table }), ['default', 'public', 'album'])
  assert.equal(identityOf(kind, { source: unknown, table }), null)
  assert.equal(identityOf(kind, { source: 'default', table: unknown }), null)
  assert.equal(identityOf(kind, { source: 'default', table: { ...table, name: unknown } }), null)
  assert.equal(identityOf(kind, { source: 'default', table: null }), null)
})

test('an object is found where the document has it', () => {
  const table = { schema: 'a.b', name: 'c/d' }
  const at = addressOf(kindOf('SelectPermission'), { source: 'default', table, role: 'user' }, 'text')
  assert.equal(addressText(at), 'source:default/table:a%2eb.c%2fd/select_permission:user')
})
