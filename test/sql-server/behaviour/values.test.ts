/** Values of every type at their boundaries: in as the API takes them, out as texts with every digit. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openSocket, type TestSocket } from '../../websocket-client.ts'
import { serveSource } from './served-source.ts'

/** Column type, and its values: as GraphQL has them, and the JSON that is answered where that is another text. */
const types: readonly (readonly [string, readonly (readonly [string, string?])[]])[] = [
  ['tinyint', [['0'], ['255']]],
  ['smallint', [['-32768'], ['32767']]],
  ['int', [['-2147483648'], ['2147483647']]],
  ['bigint', [['-9223372036854775808'], ['9223372036854775807'], ['"9007199254740993"', '9007199254740993']]],
  ['bit', [['true'], ['false']]],
  [
    'decimal(38,0)',
    [
      ['99999999999999999999999999999999999999'],
      ['"-99999999999999999999999999999999999999"', '-99999999999999999999999999999999999999'],
      ['0'],
    ],
  ],
  [
    'decimal(38,10)',
    [
      ['"1234567890123456789012345678.0123456789"', '1234567890123456789012345678.0123456789'],
      ['0.1', '0.1000000000'],
    ],
  ],
  ['numeric(4,3)', [['9.999'], ['-9.999']]],
  ['money', [['922337203685477.5807'], ['-922337203685477.5808'], ['"0.0001"', '0.0001']]],
  ['smallmoney', [['214748.3647'], ['-214748.3648']]],
  [
    'float',
    [
      ['1.7976931348623157e308', '1.797693134862316e+308'],
      ['5e-324', '4.940656458412465e-324'],
      ['0', '0.000000000000000e+000'],
    ],
  ],
  [
    'real',
    [
      ['3.4e38', '3.4000000e+038'],
      ['-1.25', '-1.2500000e+000'],
    ],
  ],
  ['char(4)', [['"ab"', '"ab  "'], ['"abcd"']]],
  ['varchar(10)', [['""'], ['"it\'s"'], ['"caf\\u00e9"', '"café"']]],
  ['varchar(max)', [[`"${'x'.repeat(9000)}"`]]],
  ['text', [['"plain"']]],
  ['nchar(3)', [['"\\u043c"', '"м  "']]],
  ['nvarchar(20)', [['"Москва 東京 😀"'], ['"a\\\\b\\"c\\n\\t"'], ['"\'; DROP TABLE v; --"']]],
  ['nvarchar(max)', [[`"${'ж'.repeat(5000)}"`]]],
  ['ntext', [['"Ω"']]],
  ['date', [['"0001-01-01"'], ['"9999-12-31"'], ['"2024-02-29"']]],
  ['time', [['"00:00:00"'], ['"23:59:59.9999999"']]],
  ['time(0)', [['"12:34:56"']]],
  ['smalldatetime', [['"1900-01-01T00:00:00"'], ['"2079-06-06T23:59:00"']]],
  ['datetime', [['"1753-01-01T00:00:00"'], ['"9999-12-31T23:59:59.997"']]],
  ['datetime2', [['"0001-01-01T00:00:00"'], ['"9999-12-31T23:59:59.9999999"']]],
  [
    'datetimeoffset',
    [['"2007-05-08T12:35:29.1234567+12:15"'], ['"9999-12-31T09:59:59.9999999-14:00"'], ['"2020-01-01T00:00:00Z"']],
  ],
  [
    'uniqueidentifier',
    [
      ['"00000000-0000-0000-0000-000000000000"'],
      ['"ffffffff-ffff-ffff-ffff-ffffffffffff"', '"FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"'],
    ],
  ],
  ['binary(4)', [['"ab"', '"YWIAAA=="']]],
  ['varbinary(max)', [['""'], ['"\\u00e9"', '"w6k="']]],
  ['image', [['""'], ['"ab"', '"YWI="']]],
  ['sql_variant', [['"x"'], ['"Ж 12"']]],
  ['xml', [['"<a>b</a>"', '"<a>b<\\/a>"']]],
  ['geography', [['"POINT (-122.34 47.65)"'], ['{type: "Point", coordinates: [1, 2]}', '"POINT (1 2)"']]],
  ['geometry', [['"POLYGON ((0 0, 3 0, 3 3, 0 0))"'], ['"LINESTRING EMPTY"']]],
  [
    'hierarchyid',
    [
      ['"/"', '"\\/"'],
      ['"/0.1/0.2/"', '"\\/0.1\\/0.2\\/"'],
    ],
  ],
]

/** What JSON says of a text, whatever it escapes. */
const plain = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => JSON.stringify(JSON.parse(text)))

/** The texts of the properties of each row, in order. */
const cellsOf = (json: string): readonly string[] => plain(json).match(/"v\d+":(?:"(?:[^"\\]|\\.)*"|[^,}\]]+)/g) ?? []

suite('values of SQL Server', () => {
  test('72 boundary values are returned whole by insert, returning, list and live query', async (t) => {
    const columns = types.map(([type], index) => `v${index} ${type} NULL`)
    const setup = `DROP TABLE IF EXISTS svc_values; CREATE TABLE svc_values (id int PRIMARY KEY, stamp rowversion, ${columns.join(', ')})`
    const { engine, graphql, runSql } = await serveSource(t, [setup], ['svc_values'])
    assert.equal(types.flatMap(([, values]) => values).length, 72)
    // the first values of all types are one row, and so on; the last row is null but for its key
    const rows = [0, 1, 2, 3].map((at) => types.map(([, values]) => values[at] ?? (['null', 'null'] as const)))
    const objects = rows.map(
      (row, at) => `{id: ${at}, ${row.map(([value], index) => `v${index}: ${value}`).join(', ')}}`,
    )
    const expected = rows.flatMap((row) => row.map(([value, out = value], index) => `"v${index}":${plain(out)}`))
    const fields = `${types.map((_, index) => `v${index}`).join(' ')} stamp`
    const stamps = (json: string) => plain(json).match(/"stamp":"[\w+/]{11}="/g)

    const inserted = await graphql(
      `mutation { insert_svc_values(objects: [${objects.join(', ')}]) { returning { ${fields} } } }`,
    )
    assert.deepEqual(cellsOf(inserted), expected, inserted.slice(0, 500))
    assert.equal(new Set(stamps(inserted)).size, rows.length)
    const listed = await graphql(`{ svc_values(order_by: {id: asc}) { ${fields} } }`)
    assert.deepEqual(cellsOf(listed), expected)
    assert.deepEqual(stamps(listed), stamps(inserted))
    const socket = await openSocket(engine, {
      protocol: 'graphql-transport-ws',
      init: { 'x-svc-admin-secret': engine.secret },
    })
    const live = await liveText(socket.socket, `subscription { svc_values(order_by: {id: asc}) { ${fields} } }`, '1')
    assert.deepEqual(cellsOf(live), expected)
    assert.deepEqual(stamps(live), stamps(inserted))
    await socket.close()
    await runSql('DROP TABLE svc_values')
  })
})

/** The text of the first answer of a live query. */
function liveText(socket: TestSocket['socket'], query: string, id: string): Promise<string> {
  return new Promise((resolve) => {
    const read = (data: unknown) => {
      const text = String(data)
      if (JSON.parse(text).id !== id) return
      socket.off('message', read)
      socket.send(JSON.stringify({ type: 'complete', id }))
      resolve(text)
    }
    socket.on('message', read)
    socket.send(JSON.stringify({ type: 'subscribe', id, payload: { query } }))
  })
}
