/** Whatever texts fragments are made of, and however they are put together, the database reads what was meant. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Random, seededRandom } from '../../../test/admin/random.ts'
import { createTestDatabase } from '../../../test/postgres.ts'
import { bind, ident, integer, join, literal, print, printInlined, type Sql, sql } from './sql.ts'

let client: pg.Client
before(async () => {
  const database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(() => client.end())

const dangerous = [
  '"',
  "'",
  '\\',
  "''",
  '""',
  "\\'",
  '$1',
  '$$',
  ';',
  '--',
  '/*',
  '*/',
  '?',
  ':x',
  "E'",
  'U&"',
  '\n',
  '%',
  '}',
  '${',
  '`',
]

/** Of what quotes and comments are made of, and of any characters at all; no NUL, which a text of PostgreSQL cannot hold. */
function hostileText(random: Random): string {
  const piece = () => {
    if (random.chance(0.6)) return random.pick(dangerous)
    const point = 1 + random.below(random.chance(0.5) ? 0x7f : 0x10ffff)
    return point >= 0xd800 && point < 0xe000 ? 'x' : String.fromCodePoint(point)
  }
  return Array.from({ length: random.below(9) }, piece).join('')
}

/** Names are not empty, and are cut after 63 bytes. */
function hostileName(random: Random): string {
  let name = hostileText(random) || 'x'
  while (Buffer.byteLength(name) > 63) name = [...name].slice(0, -1).join('')
  return name
}

test('a literal is the text it was made of, whatever the server takes a backslash for', async () => {
  const random = seededRandom(1)
  for (const conforming of ['on', 'off']) {
    await client.query(`SET standard_conforming_strings = ${conforming}; SET escape_string_warning = off`)
    for (let i = 0; i < 250; i++) {
      const text = hostileText(random)
      const { rows } = await client.query(`SELECT ${print(literal(text)).text} AS text`)
      assert.equal(rows[0].text, text, `${conforming}, ${i}`)
    }
  }
  await client.query('RESET ALL')
})

test('a NUL leaves literals and identifiers as it would be lost in the database anyway', async () => {
  const { rows, fields } = await client.query(print(sql`SELECT ${literal("a\0'b")} AS ${ident('c\0"d')}`).text)
  assert.deepEqual([rows[0], fields[0]?.name], [{ 'c"d': "a'b" }, 'c"d'])
})

interface Meant {
  readonly fragment: Sql<string>
  /** What the database must make of it. */
  readonly text: string
}

/** A random expression over columns with hostile names, literals and bound values. */
function expression(random: Random, columns: ReadonlyMap<string, string>, depth: number): Meant {
  const leaf = (): Meant => {
    const text = hostileText(random)
    const [name = '', value = ''] = random.pick([...columns])
    return random.pick([
      { fragment: literal(text), text },
      { fragment: sql`${bind(text)}::text`, text },
      { fragment: sql`${ident('the "row"')}.${ident(name)}`, text: value },
      { fragment: sql`(${integer(depth - 1)})::text`, text: String(depth - 1) },
    ])
  }
  if (depth === 0) return leaf()
  const parts = Array.from({ length: 1 + random.below(3) }, () =>
    expression(random, columns, depth - 1 - random.below(2) * (depth - 1)),
  )
  const fragments = parts.map(({ fragment }) => fragment)
  const text = parts.map((part) => part.text).join('')
  return random.pick<Meant>([
    { fragment: sql`(${join(fragments, sql` || `)})`, text },
    { fragment: sql`concat(${join(fragments, sql`, `)})`, text },
    {
      fragment: sql`(SELECT ${sql`${sql`concat(${join(fragments, sql`, `)})`} AS ${ident(hostileName(random))}`})`,
      text,
    },
  ])
}

test('expressions put together at random mean the same with parameters and with their values written in', async () => {
  for (let seed = 1; seed <= 250; seed++) {
    const random = seededRandom(seed)
    const columns = new Map(Array.from({ length: 3 }, () => [hostileName(random), hostileText(random)] as const))
    const row = join(
      [...columns].map(([name, value]) => sql`${bind(value)}::text AS ${ident(name)}`),
      sql`, `,
    )
    const { fragment, text } = expression(random, columns, 3)
    const query = sql`WITH ${ident('the "row"')} AS (SELECT ${row}) SELECT ${fragment} AS "text" FROM ${ident('the "row"')}`
    const { text: statement, slots } = print(query)
    const bound = await client.query(statement, [...slots])
    assert.equal(bound.rows[0].text, text, `seed ${seed}: ${statement}`)
    const inlined = await client.query(printInlined(query, (text) => text))
    assert.equal(inlined.rows[0].text, text, `seed ${seed}`)
    assert.equal(new Set(slots).size, slots.length, 'equal slots share a number')
  }
})
