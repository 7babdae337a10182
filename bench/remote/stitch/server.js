/** The same two remotes behind @graphql-tools/stitch: a batched delegation for all rows, documents parsed once. */
import { Agent, createServer, request } from 'node:http'
import { batchDelegateToSchema } from '@graphql-tools/batch-delegate'
import { stitchSchemas } from '@graphql-tools/stitch'
import { buildSchema, execute, OperationTypeNode, parse, print, validate } from 'graphql'

const agent = new Agent({ keepAlive: true })

const executorOf =
  (url) =>
  async ({ document, variables }) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ query: print(document), variables })
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const asked = request(url, { method: 'POST', agent, headers }, (response) => {
        const parts = []
        response.on('data', (part) => parts.push(part))
        response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())))
      })
      asked.on('error', reject)
      asked.end(body)
    })

const shop = { schema: buildSchema(process.env.SHOP_SDL), executor: executorOf(process.env.SHOP) }
const catalogue = { schema: buildSchema(process.env.CATALOGUE_SDL), executor: executorOf(process.env.CATALOGUE) }
const schema = stitchSchemas({
  subschemas: [shop, catalogue],
  typeDefs: 'extend type Item { product: Product }',
  resolvers: {
    Item: {
      product: {
        selectionSet: '{ product_id }',
        resolve: (item, _args, context, info) =>
          batchDelegateToSchema({
            schema: catalogue,
            operation: OperationTypeNode.QUERY,
            fieldName: 'products',
            key: item.product_id,
            argsFromKeys: (ids) => ({ ids }),
            context,
            info,
          }),
      },
    },
  },
})

const documents = new Map()
function documentOf(query) {
  const known = documents.get(query)
  if (known) return known
  const made = parse(query)
  if (validate(schema, made).length > 0) throw new Error('invalid')
  documents.set(query, made)
  return made
}

createServer(async (incoming, response) => {
  const parts = []
  for await (const part of incoming) parts.push(part)
  if (parts.length === 0) return void response.end('{}')
  const { query, variables } = JSON.parse(Buffer.concat(parts).toString())
  const answer = await execute({ schema, document: documentOf(query), variableValues: variables, contextValue: {} })
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answer))
}).listen(Number(process.env.PORT), '127.0.0.1')
