import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { ApiError } from '../errors.ts'
import { checkTypes } from './check-types.ts'
import { type Customization, nameRemote, publicField, publicType } from './customize.ts'
import { readPermission } from './permission/read-permission.ts'
import { readIntrospection } from './read-introspection.ts'
import type { RemoteTypes } from './remote-types.ts'

const upstream = remote(`
  schema { query: Root }
  type Root { user(id: Int!, limit: Int = 10): User  find(by: Search): [Node!]  self: User }
  interface Node { id: ID! }
  type User implements Node { id: ID!  name: String  status: Status }
  type Message implements Node { id: ID!  text: String }
  union Hit = User | Message
  enum Status { ON OFF }
  input Search { text: String  owner: Int  deep: Search }
`)

function remote(sdl: string): RemoteTypes {
  const types = readIntrospection(introspectionFromSchema(buildSchema(sdl, { assumeValidSDL: true })).__schema)
  checkTypes(types)
  return types
}

const refused = (run: () => unknown, code: string, message: string | RegExp) =>
  assert.throws(run, (error) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, code)
    if (typeof message === 'string') assert.equal(error.message, message)
    else assert.match(error.message, message)
    return true
  })

test('types, roots, arguments and defaults are read; those of introspection are left out', () => {
  assert.deepEqual(upstream.roots, { query: 'Root', mutation: null, subscription: null })
  const root = upstream.types.get('Root')
  assert.ok(root?.kind === 'OBJECT')
  assert.equal(root.fields.get('user')?.args.get('limit')?.defaultValue, '10')
  assert.deepEqual([...upstream.types.keys()].filter((name) => name.startsWith('__')), []) // biome-ignore format: one line
})

test('what is no introspection is reported with its place', () => {
  refused(() => readIntrospection({ queryType: { name: 'Q' }, types: [{ kind: 'UNION' }] }), 'remote-schema-error', /^Error in \$\.types\[0\]\.name/) // biome-ignore format: one line
  refused(() => readIntrospection('no'), 'remote-schema-error', /^Error in \$/)
})

test('a customization names types and fields; mappings win, built-in scalars and roots keep theirs', () => {
  const naming = nameRemote(upstream, {
    type_names: { prefix: 'My', suffix: '_x', mapping: { User: 'Person', Int: 'Whole' } },
    field_names: [
      { parent_type: 'User', prefix: 'u_', mapping: { id: 'node_id' } },
      { parent_type: 'Node', mapping: { id: 'node_id' } },
      { parent_type: 'Message', mapping: { id: 'node_id' } },
    ],
  })
  assert.deepEqual(
    ['User', 'Message', 'Int', 'String', 'Root'].map((name) => publicType(naming, name)),
    ['Person', 'MyMessage_x', 'Whole', 'String', 'Root'],
  )
  assert.deepEqual([publicField(naming, 'User', 'name'), publicField(naming, 'Root', 'user')], ['u_name', 'user'])
  assert.equal(publicType(nameRemote(upstream, { root_fields_namespace: 'crm' }), 'Root'), 'crmRoot')
})

const clashes: readonly (readonly [Customization, string, string])[] = [
  [
    { type_names: { mapping: { User: 'Message' } } },
    'remote-schema-error',
    'Type name mappings are not distinct; the following types appear more than once: "Message"',
  ],
  [
    { field_names: [{ parent_type: 'User', mapping: { status: 'name' } }] },
    'remote-schema-error',
    'Field name mappings for object type "User" are not distinct; the following fields appear more than once: "name"',
  ],
  [
    { field_names: [{ parent_type: 'Message', mapping: { id: 'key' } }] },
    'remote-schema-error',
    'Remote schema customization inconsistency: field name mapping for field "id" of interface "Node" is inconsistent with mapping for type "Message". Interface field name maps to "id". Type field name maps to "key".',
  ],
  [
    { field_names: [{ parent_type: 'User', mapping: { __typename: 'x' } }] },
    'invalid-params',
    'attempt to customize reserved field name "__typename"',
  ],
  [{ root_fields_namespace: 'my crm' }, 'invalid-params', '"my crm" is not a valid GraphQL name'],
  [{ type_names: { suffix: '-v1' } }, 'invalid-params', '"Node-v1" is not a valid GraphQL name'],
]
for (const [customization, code, message] of clashes)
  test(`refused: ${message}`, () => refused(() => nameRemote(upstream, customization), code, message))

const permit = (sdl: string) => readPermission(sdl, upstream)
const failed = (reason: string) => `validation for the given role-based schema failed because ${reason}`

test('a permission keeps what it names; presets are left out of it', () => {
  const { types, roots, presets } = permit(`
    schema { query: Root }
    type Root { user(id: Int! @preset(value: "X-Svc-User-Id"), limit: Int = 10): User }
    type User { id: ID! }
  `)
  assert.equal(roots.query, 'Root')
  const root = types.get('Root')
  assert.ok(root?.kind === 'OBJECT')
  assert.deepEqual([...root.fields.keys()], ['user'])
  assert.deepEqual([...(root.fields.get('user')?.args.keys() ?? [])], ['limit'])
  assert.deepEqual(presets.args.get('Root.user')?.get('id'), {
    kind: 'session',
    variable: 'x-svc-user-id',
    type: { kind: 'non-null', of: { kind: 'named', name: 'Int' } },
  })
})

test('an input type of which all fields are preset is removed, and values of it are passed whole', () => {
  const { types, presets } = permit(`
    schema { query: Root }
    type Root { find(by: Search): [Node!] }
    interface Node { id: ID! }
    input Search { owner: Int @preset(value: 3) }
  `)
  assert.equal(types.has('Search'), false)
  const root = types.get('Root')
  assert.equal(root?.kind === 'OBJECT' && root.fields.get('find')?.args.size, 0)
  assert.equal(presets.args.get('Root.find')?.get('by')?.kind, 'literal')
  assert.equal(presets.inputs.get('Search')?.get('owner')?.kind, 'literal')
})

const wrong: readonly (readonly [string, string])[] = [
  ['type Query { self: User } type User { id: ID! }', '"Object": "Query" does not exist in the upstream remote schema'],
  ['schema { query: Root } type Root { nope: Int }', 'field "nope" does not exist in the "Object": "Root"'],
  [
    'schema { query: Root } type Root { self: User } type User { id: ID }',
    'expected type of "id"("Object field") to be ID! but received ID',
  ],
  [
    'schema { query: Root } type Root { user: User } type User { id: ID! }',
    'field: "user" expects the following non nullable arguments to be present: "id"',
  ],
  [
    'schema { query: Root } type Root { self: User } type User { status: Status } enum Status { ON GONE }',
    'enum "Status" contains the following enum values that do not exist in the corresponding upstream remote enum: "GONE"',
  ],
  ['schema { query: Root } type Root { self: User }', 'Could not find type with name "User"'],
  ['type User { id: ID! }', 'query root does not exist in the schema definition'],
  [
    'schema { query: Root } type Root { find(by: Search @preset(value: "x-svc-a")): [Node!] } interface Node { id: ID! } input Search { text: String }',
    'illegal preset value at "by". Session arguments can only be set for singleton values',
  ],
  [
    'schema { query: Root } type Root { find(by: Search @preset(value: {nope: 1})): [Node!] } interface Node { id: ID! } input Search { text: String }',
    '"nope" does not exist in the input object "Search"',
  ],
  [
    'schema { query: Root } type Root @preset(value: 1) { self: User } type User { id: ID! }',
    'Preset directives can be defined only on INPUT_FIELD_DEFINITION or ARGUMENT_DEFINITION',
  ],
]
for (const [sdl, reason] of wrong)
  test(`refused: ${reason}`, () => refused(() => permit(sdl), 'validation-failed', wrongText(sdl, reason)))

/** Some are wrong in more than one way: then each stands in a line of its own. */
function wrongText(sdl: string, reason: string): string | RegExp {
  const isOnly = !sdl.startsWith('type Query')
  return isOnly ? failed(reason) : new RegExp(` • ${reason.replace(/[".()]/g, '.')}\n`)
}
