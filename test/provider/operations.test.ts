/** What resources send is what the engine knows, whatever the kind of source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allBackends } from '../../engine/src/backends/index.ts'
import { operationTable } from '../../engine/src/metadata/index.ts'
import { fillDefaults } from '../../provider/src/core/index.ts'
import {
  catalogue,
  declaredValue,
  type Operation,
  placeOf,
  type ResourceKind,
  type Values,
} from '../../provider/src/resources/index.ts'
import { otherSourceSamples } from '../../provider/src/resources/other-sources.fixture.ts'
import { samples } from '../../provider/src/resources/samples.fixture.ts'

const operations = operationTable(allBackends.flatMap(({ kinds }) => kinds))
const all = [...samples('postgres://u@h/d'), ...otherSourceSamples]

/** The names of a sample as sources of this kind spell them. */
function inDataset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDataset)
  if (typeof value !== 'object' || value === null) return value
  const { schema, ...others } = value as { schema?: unknown }
  const below = Object.fromEntries(Object.entries(others).map(([key, part]) => [key, inDataset(part)]))
  return 'name' in value && (schema !== undefined || Object.keys(others).length === 1)
    ? { dataset: schema ?? 'public', ...below }
    : below
}

/** What only tables and computed fields of PostgreSQL have. */
const others = { is_enum: false, table_argument: null, session_argument: null }

function operationsOf(kind: ResourceKind, from: Values, to: Values): readonly Operation[] {
  const [old, now] = [from, to].map((values) => {
    const canonical = kind.canonical(declaredValue(kind, fillDefaults(kind.attributes, values), 'text'))
    assert.ok(canonical.ok, `${kind.kind}: ${JSON.stringify(canonical)}`)
    return canonical.value
  })
  assert.ok(old && now)
  const place = placeOf(kind, fillDefaults(kind.attributes, from), 'text')
  return [...(kind.create(now, place) ?? []), ...(kind.update(old, now, place) ?? []), ...kind.delete(old, place)]
}

for (const sourceKind of ['postgres', 'mssql', 'bigquery'])
  test(`every operation of a resource is one that sources of kind ${sourceKind} have`, () => {
    const kinds = catalogue.flatMap((kind) =>
      kind.sourceKind === null || kind.type === 'source' ? [] : (kind.inKind(sourceKind) ?? []),
    )
    assert.ok(kinds.length >= 12)
    for (const kind of kinds) {
      const sample = all.find((one) => one.kind === kind.kind)
      assert.ok(sample, kind.kind)
      const spelled = (values: Values) =>
        sourceKind === 'bigquery'
          ? (inDataset({ ...values, ...others, argument_mapping: { a: 'id' } }) as Values)
          : sourceKind === 'mssql'
            ? { ...values, ...others }
            : values
      for (const patch of [{}, ...Object.values(sample.changes)])
        for (const { type, args } of operationsOf(kind, spelled(sample.base), spelled({ ...sample.base, ...patch }))) {
          const operation = operations.metadata(type, 1)
          assert.ok(operation, `${kind.kind}: ${type}`)
          assert.equal(operation.args.safeParse(args).success, true, `${type} ${JSON.stringify(args)}`)
        }
    }
  })
