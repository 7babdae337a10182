import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as cdktfConstructs from '@svc/cdktf'
import * as cdktnConstructs from '@svc/cdktn'
import * as cdktf from 'cdktf'
import * as cdktn from 'cdktn'
import { type Attributes, type AttributeType, isValues, type Value } from '../../provider/src/core/index.ts'
import { catalogue } from '../../provider/src/resources/index.ts'
import { otherSourceSamples } from '../../provider/src/resources/other-sources.fixture.ts'
import { samples } from '../../provider/src/resources/samples.fixture.ts'
import { camelName } from '../../tools/cdk/attribute-types.ts'
import { createTerraformFolder, withoutTerraform } from '../terraform/terraform.ts'

interface Synthesised {
  readonly provider?: { readonly svc: readonly object[] }
  readonly resource?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  readonly data?: Synthesised['resource']
  readonly import?: readonly object[]
}

/** Both libraries have one interface: what is written for the one is run with both. */
const both = [
  { title: 'CDK for Terraform', library: cdktf, svc: cdktfConstructs },
  {
    title: 'CDK Terrain',
    library: cdktn as unknown as typeof cdktf,
    svc: cdktnConstructs as unknown as typeof cdktfConstructs,
  },
] as const

type Made = (typeof both)[number]

/** Of apps: without one each would leave a folder of its own. */
const outdir = mkdtempSync(join(tmpdir(), 'svc-constructs-'))
after(() => rmSync(outdir, { recursive: true }))

function synthesise({ library }: Made, declare: (stack: cdktf.TerraformStack) => void): Synthesised {
  const stack = new library.TerraformStack(library.Testing.app({ outdir }), 'stack')
  declare(stack)
  return JSON.parse(library.Testing.synth(stack))
}

const filterOf = ({ resource }: Synthesised, name: string) => resource?.svc_select_permission?.[name]?.filter

for (const made of both) {
  const { title, library, svc } = made

  test(`${title}: attributes have Terraform's names, outputs are references, what is not given is left out`, () => {
    const { resource, provider } = synthesise(made, (stack) => {
      new svc.SvcProvider(stack, 'svc', { adoptExisting: true, previewChecks: 'warn' })
      const album = new svc.Table(stack, 'album', {
        table: { name: 'album' },
        columnConfig: { title: { customName: 'name' } },
      })
      new svc.SelectPermission(stack, 'user', { table: album.table, role: 'user', columns: ['id'], filter: {} })
    })
    assert.deepEqual(provider, { svc: [{ adopt_existing: true, preview_checks: 'warn' }] })
    assert.deepEqual(resource, {
      svc_table: { album: { table: { name: 'album' }, column_config: { title: { custom_name: 'name' } } } },
      svc_select_permission: {
        user: { table: '${' + 'svc_table.album.table}', role: 'user', columns: ['id'], filter: '{}' },
      },
    })
  })

  test(`${title}: JSON is given as its text, in which only outputs are templates`, () => {
    const odd = '$' + '{x} %{y} "z"'
    const synthesised = synthesise(made, (stack) => {
      const album = new svc.Table(stack, 'album', { table: { name: 'album' } })
      const permission = (role: string, filter: unknown) =>
        new svc.SelectPermission(stack, role, { table: { name: 'album' }, role, columns: ['id'], filter })
      permission('value', { title: { _eq: odd }, _or: [{ n: { _gt: 2.5 } }, { b: { _is_null: true } }] })
      permission('text', '{"a": 1}')
      permission('output', { title: { _eq: album.id } })
      permission('whole', { of: album.table })
    })
    assert.equal(
      filterOf(synthesised, 'value'),
      `{"title":{"_eq":"$\${x} %%{y} \\"z\\""},"_or":[{"n":{"_gt":2.5}},{"b":{"_is_null":true}}]}`,
    )
    assert.equal(filterOf(synthesised, 'text'), '{"a": 1}')
    assert.equal(filterOf(synthesised, 'output'), '{"title":{"_eq":"$' + '{svc_table.album.id}"}}')
    assert.equal(filterOf(synthesised, 'whole'), '$' + '{jsonencode({"of" = svc_table.album.table})}')
  })

  test(`${title}: what Terraform itself wants of a resource is passed on`, () => {
    const { resource } = synthesise(made, (stack) => {
      const provider = new svc.SvcProvider(stack, 'other', { alias: 'other' })
      const a = new svc.Table(stack, 'a', { table: { name: 'a' } })
      new svc.Table(stack, 'b', {
        table: { name: 'b' },
        dependsOn: [a],
        provider,
        count: 2,
        lifecycle: { preventDestroy: true },
        timeouts: { create: '30s' },
      })
    })
    assert.deepEqual(resource?.svc_table?.b, {
      table: { name: 'b' },
      depends_on: ['svc_table.a'],
      provider: 'svc.other',
      count: 2,
      lifecycle: { prevent_destroy: true },
      timeouts: { create: '30s' },
    })
  })

  test(`${title}: a data source is read, a resource imported`, () => {
    const synthesised = synthesise(made, (stack) => {
      const data = new svc.DataSvcMetadata(stack, 'all')
      new library.TerraformOutput(stack, 'version', { value: data.resourceVersion })
      new svc.Table(stack, 'album', { table: { name: 'album' } }).importFrom('default/public/album')
    })
    assert.deepEqual(synthesised.data, { svc_metadata: { all: {} } })
    assert.deepEqual(synthesised.import, [{ to: 'svc_table.album', id: 'default/public/album' }])
  })

  test(`${title}: a misspelt name inside an object is refused`, () => {
    const table = { name: 'album', shcema: 'public' }
    assert.throws(
      () => synthesise(made, (stack) => void new svc.Table(stack, 'album', { table })),
      /shcema: expected only schema, dataset, name/,
    )
  })

  test(`${title}: HCL holds the same attributes`, () => {
    const stack = new library.TerraformStack(library.Testing.app({ outdir }), 'stack')
    new svc.Table(stack, 'album', { table: { name: 'album' }, isEnum: true })
    const { hcl } = stack.toHclTerraform()
    assert.match(hcl, /resource "svc_table" "album" \{\ntable = \{\nname = "album"\n\}\nis_enum = true\n\}/)
  })

  test(`${title}: every attribute of every kind reaches Terraform as it was given`, () => {
    const { resource } = synthesise(made, (stack) => declareSamples(made, stack))
    for (const { kind, base } of everySample) {
      const { name, attributes } = kindNamed(kind)
      const given = Object.fromEntries(Object.entries(base).filter(([, value]) => value !== null))
      assert.deepEqual(
        resource?.[`svc_${name}`]?.[`${kind}Sample`],
        respelled(attributes, given, (one) => one),
        kind,
      )
    }
  })
}

test('a declaration of every kind is one that Terraform understands', { skip: withoutTerraform }, async (t) => {
  const folder = await createTerraformFolder({ url: 'http://localhost:1', secret: '' }, t)
  const [made] = both
  const synthesised = synthesise(made, (stack) => {
    new made.svc.SvcProvider(stack, 'svc')
    declareSamples(made, stack)
  })
  await folder.write('cdk.tf.json', JSON.stringify(synthesised))
  await folder.succeed('validate', '-no-color')
})

function kindNamed(kind: string) {
  const found = catalogue.find((one) => one.kind === kind)
  assert.ok(found, kind)
  return found
}

const everySample = [...samples('postgres://u@h/d'), ...otherSourceSamples]

/** One of each kind, made from the samples. */
function declareSamples({ svc }: Made, stack: cdktf.TerraformStack): void {
  type AnyConstruct = new (scope: cdktf.TerraformStack, id: string, config: object) => unknown
  const constructs = svc as unknown as Readonly<Record<string, AnyConstruct | undefined>>
  for (const { kind, base } of everySample) {
    const Construct = constructs[kind]
    assert.ok(Construct, kind)
    new Construct(stack, `${kind}Sample`, Object(respelled(kindNamed(kind).attributes, base, camelName)))
  }
}

/** A value with the names of its attributes spelled in another way, nothing in place of null. */
function respelled(attributes: Attributes, value: Value, spell: (name: string) => string): unknown {
  if (!isValues(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const type = attributes[name]?.type
      return part === null || type === undefined ? [] : [[spell(name), below(type, part, spell)]]
    }),
  )
}

function below(type: AttributeType, value: Value, spell: (name: string) => string): unknown {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
      return value
    case 'list':
    case 'set':
      return Array.isArray(value) ? value.map((item: Value) => below(type.of, item, spell)) : value
    case 'map':
      return isValues(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(type.of, item, spell)]))
        : value
    case 'object':
      return respelled(type.attributes, value, spell)
  }
}
