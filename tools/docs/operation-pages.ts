/** docs/reference/arguments.md and docs/reference/openapi.json: the operations of the admin API, from their declarations. */
import { fileURLToPath } from 'node:url'
import { equalJson, isRecord, type Json, type JsonObject } from '@svc/schema'
import { exampleArgs } from './example-value.ts'
import { type ListedOperation, listOperations } from './operation-list.ts'

export const REFERENCE_PAGES = fileURLToPath(new URL('../../docs/reference', import.meta.url))

/** Those of PostgreSQL; other kinds have the same ones with their own prefix. */
export const documentedOperations = (): readonly ListedOperation[] =>
  listOperations().filter(({ type }) => !/^(citus|cockroach)_/.test(type))

export function operationPages(): readonly { readonly file: string; readonly text: string }[] {
  const operations = documentedOperations()
  return [
    { file: 'arguments.md', text: argumentsPage(operations) },
    { file: 'openapi.json', text: `${JSON.stringify(openApiDocument(operations), null, 1)}\n` },
  ]
}

const intro = `# Arguments of each operation

Made by \`npm run docs\` from the declarations that the engine decodes requests with. What operations do and which errors
they have: [operations](metadata-operations.md). The same as an [OpenAPI document](openapi.json).

*R* is required; null for any other key means that it is absent. Keys of nested objects stand after a dot, \`[]\` is each
member of a list. Operations with \`pg_\` have the names \`postgres_…\` and, for Citus and CockroachDB, \`citus_…\` and
\`cockroach_…\` too, and none at all on \`/v1/query\`.
`

function argumentsPage(operations: readonly ListedOperation[]): string {
  return [intro, ...operations.map(operationSection)].join('\n')
}

function operationSection({ type, endpoints, jsonSchema }: ListedOperation): string {
  const rows = mergedRows(rowsOf(jsonSchema, '', 0))
  const table =
    rows.length === 0
      ? ''
      : `\n| key | type | default |\n|---|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
  const example = JSON.stringify({ type, args: exampleArgs(type, jsonSchema) })
  return `## ${type}\n\n${endpoints.map((path) => `\`${path}\``).join(', ')}\n${table}\n\`\`\`json\n${example}\n\`\`\`\n`
}

type Row = readonly [key: string, type: string, fallback: string]

/** A key that several alternatives have stands once. */
const mergedRows = (rows: readonly Row[]): readonly Row[] => [...new Map(rows.map((row) => [row[0], row])).values()]

/** Keys of an object and of the objects in it, as deep as a reader follows. */
function rowsOf(schema: JsonObject, prefix: string, depth: number): readonly Row[] {
  if (depth > 3) return []
  const { properties, required } = schema
  if (isRecord(properties))
    return Object.entries(properties).flatMap(([key, property]): readonly Row[] => {
      if (!isRecord(property)) return []
      const needed = Array.isArray(required) && required.includes(key)
      const fallback = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``
      const name = `${prefix}${key}`
      return [[`\`${name}\``, typeText(property), needed ? 'R' : escaped(fallback)], ...below(property, name, depth)]
    })
  return below(schema, prefix.replace(/\.$/, ''), depth)
}

const below = (schema: JsonObject, name: string, depth: number): readonly Row[] => {
  const objects = alternatives(schema).filter(({ properties, type }) => isRecord(properties) || type === 'array')
  // a name as text or object says all in its type
  return objects.flatMap((option) => {
    if (isName(option)) return []
    if (isRecord(option.properties)) return rowsOf(option, name === '' ? '' : `${name}.`, depth + 1)
    const items = isRecord(option.items) ? option.items : {}
    return rowsOf(items, `${name}[].`, depth + 1).filter(([key]) => key !== `\`${name}[].\``)
  })
}

const isName = ({ properties }: JsonObject): boolean =>
  isRecord(properties) && Object.keys(properties).sort().join() === 'name,schema'

/** Without null. */
function alternatives(schema: JsonObject): readonly JsonObject[] {
  const { anyOf } = schema
  const options = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [schema]
  return options.filter(({ type }) => type !== 'null')
}

function typeText(schema: JsonObject): string {
  const options = alternatives(schema)
  if (options.some(isName)) return 'name, or `{schema, name}`'
  return [...new Set(options.map(oneType))].join(' or ')
}

function oneType({ type, enum: values, items, additionalProperties }: JsonObject): string {
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ')
  const [first] = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type]
  switch (first) {
    case 'string':
      return 'text'
    case 'array':
      return isRecord(items) ? `list of ${typeText(items)}` : 'list'
    case 'object':
      return isRecord(additionalProperties) ? `map to ${typeText(additionalProperties)}` : 'object'
    case undefined:
      return 'any JSON'
    default:
      return String(first)
  }
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')

function openApiDocument(operations: readonly ListedOperation[]): JsonObject {
  const paths = ['/v1/metadata', '/v2/query', '/v1/query'] as const
  const schemas: Record<string, Json> = {}
  const nameOf = (type: string, jsonSchema: JsonObject, versions: readonly number[], before = ''): string => {
    const schema = requestSchema(type, jsonSchema, versions)
    const name = `${before}${type}_request`
    if (schemas[name] !== undefined && !equalJson(schemas[name], schema))
      return nameOf(type, jsonSchema, versions, 'v1_')
    schemas[name] = schema
    return name
  }
  const namesAt = (path: (typeof paths)[number]): readonly string[] =>
    operations.flatMap(({ type, endpoints, jsonSchema, older }) => {
      if (path !== '/v1/query') return endpoints.includes(path) ? [nameOf(type, jsonSchema, [1, 2])] : []
      return older ? [nameOf(older.type, older.jsonSchema, older.version === 2 ? [2] : [1, 2])] : []
    })
  const answer = (description: string, schema: JsonObject): JsonObject => ({
    description,
    content: { 'application/json': { schema } },
  })
  const error = { $ref: '#/components/schemas/error' }
  const post = (path: (typeof paths)[number]): JsonObject => {
    return {
      post: {
        operationId: path.slice(1).replace('/', '_'),
        summary: `Operations of ${path}`,
        security: [{ admin_secret: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { oneOf: namesAt(path).map((name) => ({ $ref: `#/components/schemas/${name}` })) },
            },
          },
        },
        responses: {
          200: answer('What the operation answers', {}),
          400: answer('It was refused, and has changed nothing', error),
          401: answer('The credentials are wrong or missing', error),
          409: answer('The metadata has another resource_version', error),
          500: answer('A database failed, or other objects would be inconsistent', error),
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc: metadata and administration',
      version: '1',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://localhost:8080' }],
    paths: Object.fromEntries(paths.map((path) => [path, post(path)])),
    components: {
      securitySchemes: { admin_secret: { type: 'apiKey', in: 'header', name: 'X-Svc-Admin-Secret' } },
      schemas: {
        error: {
          type: 'object',
          properties: { error: { type: 'string' }, path: { type: 'string' }, code: { type: 'string' }, internal: {} },
          required: ['error', 'path', 'code'],
        },
        ...schemas,
      },
    },
  }
}

function requestSchema(type: string, args: JsonObject, versions: readonly number[]): JsonObject {
  return {
    type: 'object',
    properties: {
      type: { const: type },
      args,
      version: { enum: [...versions] },
      resource_version: { type: 'integer' },
    },
    required: [...(hasRequired(args) ? ['type', 'args'] : ['type']), ...(versions.includes(1) ? [] : ['version'])],
    examples: [{ type, args: exampleArgs(type, args) ?? {}, ...(versions.includes(1) ? {} : { version: 2 }) }],
  }
}

const hasRequired = ({ required, type }: JsonObject): boolean => type === 'array' || Array.isArray(required)
