/**
 * Native queries and logical models (reference/metadata-operations#native-queries-and-logical-models,
 * reference/database-objects#native-queries) through the real process and a real database.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { Engine } from '../engine.ts'
import type { TestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'
import { type Articles, reader, startArticles } from './articles.ts'

describe('native queries', () => {
  let articles: Articles
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    articles = await startArticles()
    ;({ database, engine } = articles)
  })
  after(() => articles.stop())

  const ask = async (query: string, headers = {}, variables = {}) =>
    (await engine.post('/v1/graphql', { query, variables }, headers)).body

  test('a subscription to it follows its rows', async (t) => {
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    const secret = { 'x-svc-admin-secret': engine.secret }
    const query = 'subscription { titled(args: {most: 1000}, where: {title: {_eq: "Followed"}}) { title } }'
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init: secret })
    t.after(() => socket.close())
    socket.send({ id: '1', type: 'subscribe', payload: { query } })
    const first = (await socket.next()).payload
    assert.deepEqual(first, { data: { titled: [] } }, JSON.stringify(first))
    await client.query(`INSERT INTO article (id, title) VALUES (777, 'Followed')`)
    assert.deepEqual((await socket.next()).payload, { data: { titled: [{ title: 'Followed' }] } })
    await client.query('DELETE FROM article WHERE id = 777')
    assert.deepEqual((await socket.next()).payload, { data: { titled: [] } })
    await client.end()
  })

  test('its arguments are bound where they stand, its rows filtered, ordered and cut like those of a table', async () => {
    const query = `query ($above: Int!) {
      liked(args: {above: $above}, where: {title: {_like: "B%"}}, order_by: {id: desc}, limit: 1) { id title words }
      all: liked(args: {above: 0, author: "ada"}, order_by: {title: asc}) { title }
      one: liked(args: {above: 0}, distinct_on: id, order_by: {id: asc}, offset: 2) { id }
    }`
    assert.deepEqual(await ask(query, {}, { above: 1 }), {
      data: {
        liked: [{ id: 3, title: 'Bears', words: ['B', 'ars'] }],
        all: [{ title: 'Ants' }, { title: 'Bees' }],
        one: [{ id: 3 }],
      },
    })
  })

  test('an argument never becomes SQL', async () => {
    const author = `ada' OR true; DROP TABLE comment; --`
    assert.deepEqual(
      await ask('query ($a: String) { liked(args: {above: 0, author: $a}) { id } }', {}, { a: author }),
      {
        data: { liked: [] },
      },
    )
    assert.deepEqual(await ask(`{ liked(args: {above: 0, author: ${JSON.stringify(author)}}) { id } }`), {
      data: { liked: [] },
    })
    assert.equal((await ask('{ comment { id } }')).data.comment.length, 3)
  })

  test('a missing, null or unknown argument is refused with its place', async () => {
    const error = async (query: string) => {
      const [{ message, extensions }] = (await ask(query)).errors
      return [message, extensions.path, extensions.code]
    }
    const at = '$.selectionSet.liked.args'
    assert.deepEqual(await error('{ liked { id } }'), [
      "missing required field 'args'",
      `${at}.args`,
      'validation-failed',
    ])
    assert.deepEqual(await error('{ liked(args: {}) { id } }'), [
      "missing required field 'above'",
      `${at}.args.above`,
      'validation-failed',
    ])
    assert.deepEqual(await error('{ liked(args: {above: null}) { id } }'), [
      "unexpected null value for type 'Int'",
      `${at}.args.above`,
      'validation-failed',
    ])
    assert.deepEqual(await error('{ liked(args: {above: 1, below: 2}) { id } }'), [
      "field 'below' not found in type: 'liked_arguments'",
      `${at}.args.below`,
      'validation-failed',
    ])
  })

  test('its relationships lead to tables and to other native queries, in conditions too', async () => {
    const query = `{
      liked(args: {above: 1}, where: {comments: {text: {_eq: "no"}}}, order_by: {article: {likes: desc}}) {
        article { likes }
        comments(order_by: {id: desc}) { text }
        comments_aggregate { aggregate { count } }
        namesakes(args: {most: 2}, order_by: {key: asc}) { key }
      }
    }`
    assert.deepEqual((await ask(query)).data, {
      liked: [
        {
          article: { likes: 5 },
          comments: [{ text: 'no' }, { text: 'yes' }],
          comments_aggregate: { aggregate: { count: 2 } },
          namesakes: [{ key: 1 }],
        },
      ],
    })
  })

  test('a role sees the fields and rows of its permission, and nothing without one', async () => {
    assert.deepEqual(await ask('{ liked(args: {above: 0}, order_by: {id: asc}) { id comments { text } } }', reader), {
      data: {
        liked: [
          { id: 2, comments: [] },
          { id: 3, comments: [{ text: 'hm' }] },
        ],
      },
    })
    const messages = async (query: string, headers: object) => (await ask(query, headers)).errors[0].message
    assert.equal(
      await messages('{ liked(args: {above: 0}) { words } }', reader),
      "field 'words' not found in type: 'liked_article'",
    )
    assert.equal(
      await messages('{ liked(args: {above: 0}) { article { likes } } }', reader),
      "field 'article' not found in type: 'liked_article'",
    )
    assert.equal(
      await messages('{ titled(args: {most: 1}) { key } }', reader),
      "field 'titled' not found in type: 'query_root'",
    )
  })

  test('introspection shows it as the planner takes it', async () => {
    const query = `{ __type(name: "query_root") { fields { name args { name type { kind name ofType { name } } } } }
      model: __type(name: "liked_article") { description fields { name } }
      given: __type(name: "liked_arguments") { inputFields { name description type { kind name } } } }`
    const { data } = await ask(query)
    const field = data.__type.fields.find(({ name }: { name: string }) => name === 'liked')
    assert.deepEqual(
      field.args.map(({ name }: { name: string }) => name),
      ['args', 'distinct_on', 'limit', 'offset', 'order_by', 'where'],
    )
    assert.deepEqual(field.args[0].type, { kind: 'NON_NULL', name: null, ofType: { name: 'liked_arguments' } })
    assert.deepEqual(data.given.inputFields, [
      { name: 'above', description: null, type: { kind: 'NON_NULL', name: null } },
      { name: 'author', description: 'Who wrote it', type: { kind: 'SCALAR', name: 'String' } },
    ])
    assert.equal(data.model.description, 'Liked')
    const names = data.model.fields.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['article', 'comments', 'comments_aggregate', 'id', 'namesakes', 'title', 'words'])
  })

  test('explain shows its SQL with the arguments in it', async () => {
    const { body } = await engine.post('/v1/graphql/explain', {
      query: { query: '{ liked(args: {above: 4, author: "ada"}) { id } }' },
    })
    assert.equal(body[0].field, 'liked')
    assert.match(body[0].sql, /WHERE likes >= \('4'\)::"int4" AND \(\('ada'\)::"text"::text IS NULL/)
    assert.ok(body[0].plan.length > 0)
  })
})
