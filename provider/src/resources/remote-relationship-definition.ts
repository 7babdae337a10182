import { isRecord, type Json, type JsonObject, recordOf, type UnknownKey } from '@svc/schema'
import { filled, type Inputs } from './attributes-of.ts'
import type { Declaration, Reference } from './define-resource.ts'
import { tableName } from './in-table.ts'
import type { Path } from './value.ts'

/** What a remote relationship leads to, as two siblings of which one is set. */
export const remoteTarget: Inputs = {
  to_source: {
    description: 'A table of a source. Either this or `to_remote_schema`.',
    at: 'definition',
    from: 'definition.to_source',
    typeName: 'RemoteRelationshipToSource',
    of: {
      relationship_type: {
        description: 'Whether it leads to one row or to a list.',
        typeName: 'RemoteRelationshipType',
      },
      source: filled('Source of the table, best as an output of it.'),
      table: tableName('The table it leads to, best as an output of it.'),
      field_mapping: filled(
        'Columns of the table that it leads from, or fields of the type, and the columns of the other table that they equal.',
      ),
    },
  },
  to_remote_schema: {
    description: 'A field of a remote schema. Either this or `to_source`.',
    at: 'definition',
    from: 'definition.to_remote_schema',
    typeName: 'RemoteRelationshipToRemoteSchema',
    of: {
      remote_schema: filled('Name of the remote schema, best as an output of it.'),
      lhs_fields: {
        description:
          'What its arguments use: columns or computed fields of the table that it leads from, or fields of the type.',
        set: true,
      },
      remote_field: {
        description:
          'The path from the query root to the field, as JSON: `{"user": {"arguments": {"id": "$id"}}}`. A text that begins with `$` is the value of one of `lhs_fields`.',
        json: true,
      },
    },
  },
}

/** The older form has the same at the top of the definition. */
function modern(definition: Json | undefined): Json | undefined {
  if (!isRecord(definition)) return definition
  const { remote_schema, svc_fields = null, remote_field = null, to_source } = definition
  if (remote_schema !== undefined)
    return { to_remote_schema: { remote_schema, lhs_fields: sorted(svc_fields), remote_field } }
  if (isRecord(to_source)) return { to_source: { ...to_source, table: namedTable(to_source.table ?? null) } }
  const { to_remote_schema } = definition
  if (!isRecord(to_remote_schema)) return definition
  return { to_remote_schema: { ...to_remote_schema, lhs_fields: sorted(to_remote_schema.lhs_fields ?? null) } }
}

const sorted = (fields: Json): Json =>
  Array.isArray(fields) ? [...new Set((fields as readonly Json[]).map(String))].sort() : fields

/** Metadata may name a table by only its name. */
const namedTable = (table: Json): Json => (typeof table === 'string' ? { schema: 'public', name: table } : table)

const part = (name: 'to_source' | 'to_remote_schema') => ({
  encode: (given: Json | undefined) => given && { [name]: given },
  decode: (definition: Json | undefined) => {
    const now = modern(definition)
    return isRecord(now) ? now[name] : undefined
  },
  decodePath: ([head, ...rest]: Path): Path => (head === name ? rest : head === undefined ? [] : [head, ...rest]),
})

/** What both kinds of remote relationship say of their targets. */
export const remoteTargets: Pick<
  Declaration,
  'codecs' | 'exactlyOne' | 'meaning' | 'dependsOn' | 'createBeforeDelete' | 'strangers'
> = {
  createBeforeDelete: true,
  exactlyOne: [['to_source', 'to_remote_schema']],
  codecs: { to_source: part('to_source'), to_remote_schema: part('to_remote_schema') },
  meaning: (value) => ({ ...value, definition: modern(value.definition) ?? null }),
  dependsOn: (_, { definition }) => targetsOf(modern(definition)),
  strangers: ({ definition }) => {
    const target = isRecord(definition) ? definition.to_remote_schema : undefined
    return isRecord(target)
      ? strangersInStep(target.remote_field ?? null, ['definition', 'to_remote_schema', 'remote_field'])
      : []
  },
}

const ofStep = ['arguments', 'field']

/** A step is the name of a field with its arguments and the step below it; the engine passes by what else is there. */
function strangersInStep(step: Json, path: Path): readonly UnknownKey[] {
  if (!isRecord(step)) return []
  return Object.entries(step).flatMap(([name, call]) => {
    if (!isRecord(call)) return []
    const at = [...path, name]
    const strange = Object.keys(call).filter((key) => !ofStep.includes(key))
    return [
      ...strange.map((key) => ({ path: [...at, key], known: ofStep })),
      ...strangersInStep(call.field ?? null, [...at, 'field']),
    ]
  })
}

function targetsOf(definition: Json | undefined): readonly Reference[] {
  const { to_source, to_remote_schema }: JsonObject = recordOf(definition)
  if (isRecord(to_source)) {
    const { source = null, table = null } = to_source
    return [
      { to: 'source', source, attribute: ['to_source', 'source'] },
      { to: 'table', source, table, attribute: ['to_source', 'table'] },
    ]
  }
  if (!isRecord(to_remote_schema)) return []
  const key = { name: to_remote_schema.remote_schema ?? null }
  return [
    { to: 'top-level', type: 'remote_schema', source: null, key, attribute: ['to_remote_schema', 'remote_schema'] },
  ]
}
