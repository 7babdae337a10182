import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecord, type Json, type JsonObject, jsonSchemaOf, nameStyle, objectSchemas, sourceSchema } from '@svc/schema'
import type { Attribute, Attributes } from './attribute.ts'
import { catalogue } from './catalogue.ts'

/** The schemas that a value below another one may have, by a key of it. */
function below(schemas: readonly JsonObject[], key: string): readonly JsonObject[] {
  return schemas.flatMap(forms).flatMap(({ properties, additionalProperties }) => {
    const own = isRecord(properties ?? null) ? (properties as JsonObject)[key] : undefined
    if (own !== undefined) return isRecord(own) ? [own] : []
    return isRecord(additionalProperties ?? null) ? [additionalProperties as JsonObject] : []
  })
}

const forms = (schema: JsonObject): readonly JsonObject[] =>
  Array.isArray(schema.anyOf) ? (schema.anyOf as readonly Json[]).filter(isRecord).flatMap(forms) : [schema]

const items = (schemas: readonly JsonObject[]): readonly JsonObject[] =>
  schemas.flatMap(forms).flatMap(({ items }) => (isRecord(items ?? null) ? [items as JsonObject] : []))

/** What an attribute and the schema of its value say differently: choices and defaults. */
function disagreements(path: string, attribute: Attribute, schemas: readonly JsonObject[]): readonly string[] {
  if (schemas.length === 0) return []
  const { type } = attribute
  const found: string[] = []
  const defaults = schemas.flatMap(({ default: initial }) => (initial === undefined ? [] : [initial]))
  const [initial] = defaults
  if (attribute.default !== undefined && initial !== undefined && attribute.default !== initial)
    found.push(`${path}: default ${JSON.stringify(attribute.default)}, not ${JSON.stringify(initial)}`)
  const choices = schemas
    .flatMap(forms)
    .flatMap((one) => (Array.isArray(one.enum) ? (one.enum as readonly Json[]) : []))
  const below = type.kind === 'set' || type.kind === 'list' ? type.of : type
  if (below.kind === 'string' && choices.length > 0 && below === type) {
    const texts = choices.map(String).sort()
    if (below.choices && JSON.stringify([...below.choices].sort()) !== JSON.stringify(texts))
      found.push(`${path}: one of ${below.choices.join(', ')}, not of ${texts.join(', ')}`)
  }
  return [...found, ...disagreementsBelow(path, type, schemas)]
}

function disagreementsBelow(path: string, type: Attribute['type'], schemas: readonly JsonObject[]): readonly string[] {
  switch (type.kind) {
    case 'object':
      return inObject(path, type.attributes, schemas)
    case 'list':
      return disagreementsBelow(`${path}[]`, type.of, items(schemas))
    case 'map':
      return disagreementsBelow(`${path}.*`, type.of, below(schemas, ''))
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
    case 'set':
      return []
  }
}

const inObject = (path: string, attributes: Attributes, schemas: readonly JsonObject[]): readonly string[] =>
  Object.entries(attributes).flatMap(([name, attribute]) =>
    disagreements(`${path}.${name}`, attribute, below(schemas, name)),
  )

let compared = 0
test('choices and defaults of attributes are those of the schema', () => {
  const all = catalogue.flatMap((kind) => {
    if (kind.part) return []
    const style = nameStyle(kind.sourceKind ?? 'postgres')
    const whole = kind.type === 'source' ? sourceSchema({ kind: kind.sourceKind }) : objectSchemas(style)[kind.type]
    const schema = jsonSchemaOf(whole)
    return kind.fields.flatMap(({ name, attribute, at }) => {
      // a codec gives it another form, with a default of its own
      if (at === null || kind.codecs?.[name]) return []
      const found = at.reduce<readonly JsonObject[]>((schemas, key) => below(schemas, key), [schema])
      compared += found.length
      return disagreements(`${kind.kind}.${name}`, attribute, found)
    })
  })
  assert.ok(compared > 150)
  assert.deepEqual(all, [])
})
