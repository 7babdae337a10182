import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecord, type Json } from '@svc/schema'
import { pulumiSchema } from './pulumi-schema.ts'

/** Names that descriptions spell as the metadata and import ids do. */
const ofMetadata = [
  'api_limits',
  'break_glass',
  'custom_types',
  'export_metadata',
  'introspection_options',
  'invoke_event_trigger',
  'metrics_config',
  'open_telemetry',
  'svc_fields',
  'x_www_form_urlencoded',
]

/** Descriptions at and below a value, without the code of their examples. */
function descriptions(json: Json): readonly string[] {
  if (Array.isArray(json)) return json.flatMap(descriptions)
  if (!isRecord(json)) return []
  return Object.entries(json).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value.replace(/```[\s\S]*?```/g, '')] : descriptions(value),
  )
}

test('descriptions call properties and functions by their names in Pulumi', () => {
  const texts = descriptions(JSON.parse(JSON.stringify(pulumiSchema())))
  const named = texts.flatMap((text) => [...text.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)`/g)].map(([, name = '']) => name))
  assert.deepEqual([...new Set(named)].sort(), ofMetadata)
  assert.ok(texts.some((text) => text.includes('when `databaseUrlWoVersion` changes')))
  assert.ok(texts.some((text) => text.startsWith('The catalogue that the engine is to have, as `getMetadata` ')))
})
