/** What an engine serves, in a form that does not depend on how it came about: for comparing two of them. */
import assert from 'node:assert/strict'
import { isRecord } from '@svc/schema'
import { getIntrospectionQuery } from 'graphql'
import type { Engine } from '../engine.ts'
import { inheritedRoles, roles } from './world.ts'

interface Field {
  readonly name: string
  readonly args: readonly { readonly type: TypeRef; readonly defaultValue: string | null }[]
  readonly type: TypeRef
}
interface TypeRef {
  readonly kind: string
  readonly name: string | null
  readonly ofType: TypeRef | null
}
interface Type {
  readonly name: string
  readonly kind: string
  readonly fields: readonly Field[] | null
}

/** Of each role: its schema, and the SQL of every root field that can be asked for without arguments. */
export async function servedSchema(engine: Engine): Promise<Readonly<Record<string, unknown>>> {
  const served: Record<string, unknown> = {}
  for (const role of ['admin', ...roles, ...inheritedRoles]) {
    const headers = { 'x-svc-role': role, 'x-svc-user-id': '1' }
    const { body } = await engine.post('/v1/graphql', { query: getIntrospectionQuery() }, headers)
    assert.ok(body.data, JSON.stringify(body))
    served[role] = { schema: canonical(body.data), sql: await explained(engine, role, body.data.__schema) }
  }
  return served
}

/** Lists of things with names, sorted by these. */
function canonical(json: unknown): unknown {
  if (Array.isArray(json)) {
    const list = json.map(canonical)
    return list.every((one) => isRecord(one) && typeof one.name === 'string')
      ? list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : list
  }
  if (!isRecord(json)) return json
  return Object.fromEntries(
    Object.keys(json)
      .sort()
      .map((key) => [key, canonical(json[key])]),
  )
}

const named = (type: TypeRef): TypeRef => (type.ofType ? named(type.ofType) : type)
const isRequired = ({ type, defaultValue }: Field['args'][number]) => type.kind === 'NON_NULL' && defaultValue === null
const isLeaf = ({ type, args }: Field) => ['SCALAR', 'ENUM'].includes(named(type).kind) && !args.some(isRequired)

async function explained(
  engine: Engine,
  role: string,
  { types, queryType }: { readonly types: readonly Type[]; readonly queryType: { readonly name: string } },
): Promise<Readonly<Record<string, unknown>>> {
  const byName = new Map(types.map((type) => [type.name, type]))
  const roots = byName.get(queryType.name)?.fields ?? []
  const all: Record<string, unknown> = {}
  for (const field of roots) {
    const type = byName.get(String(named(field.type).name))
    const leaves = (type?.fields ?? []).filter(isLeaf).map(({ name }) => name)
    if (field.args.some(isRequired) || leaves.length === 0) continue
    const query = `{ ${field.name} { ${leaves.toSorted().join(' ')} } }`
    const user = { 'x-svc-role': role, 'x-svc-user-id': '1' }
    const { body } = await engine.post('/v1/graphql/explain', { query: { query }, user })
    all[field.name] = Array.isArray(body) ? body.map(({ sql }) => sql) : body
  }
  return all
}
