/** Every attribute of every kind, by the real Terraform: made, changed or replaced, drifted, healed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOnlyElsewhere } from '../../provider/src/resources/other-sources.fixture.ts'
import { exported, groups, isWriteOnly, makeWay, setUpKinds } from './kind-stage.ts'
import { kinds, leavesOf, variantsOf } from './kind-variants.ts'
import { createTerraformFolder, VERSION, withoutTerraform } from './terraform.ts'
import { slotOf, type Variant, type VariantPlaces } from './variants/variant.ts'

for (const { kind, attributes } of kinds)
  test(`there is a variant of every attribute of ${kind}`, () => {
    const around: VariantPlaces = {
      databaseUrl: 'postgres://a:b@h:1/d',
      urlFiles: ['a', 'b'],
      urlVariables: ['A', 'B'],
      otherPort: 2,
      users: { same: ['a', 'b'], other: 'c', password: 'p' },
      remoteUrl: 'http://h:1/graphql',
    }
    const covered = variantsOf(kind, around).map(({ attribute }) => attribute)
    assert.deepEqual(
      [...covered].sort(),
      leavesOf(attributes)
        .filter((path) => !isOnlyElsewhere(kind, path))
        .sort(),
    )
  })

for (const group of groups)
  test(`${group.map(({ kind }) => kind).join(', ')}: made, changed or replaced in each attribute, corrected after drift in each`, {
    skip: withoutTerraform,
  }, async (t) => {
    const { engine, variants, changePassword } = await setUpKinds(
      t,
      group.map(({ kind }) => kind),
    )
    const folder = await createTerraformFolder(engine, t)
    const kindOf = ({ kind }: Variant) => group.find((one) => one.kind === kind)
    const addressOf = (variant: Variant) => `svc_${kindOf(variant)?.name}.${slotOf(variant.attribute)}`
    const declare = (pick: (variant: Variant) => object) =>
      folder.write(
        'main.tf.json',
        configuration(variants, (variant) => `svc_${kindOf(variant)?.name}`, pick),
      )
    const isReplacing = (variant: Variant) =>
      kindOf(variant)?.attributes[variant.attribute.split('.')[0] ?? '']?.replace === true

    await declare(({ from }) => from)
    await folder.apply()
    assert.deepEqual(await folder.planned(), [])
    const before = await exported(engine)

    await changePassword()
    await declare(({ to }) => to)
    // another identity is a move in place
    const expected = variants.map((variant) => `${addressOf(variant)} update`)
    assert.deepEqual([...(await folder.applied())].sort(), expected.sort())
    assert.deepEqual(await folder.planned(), [])
    const after = await exported(engine)

    const args = { allow_inconsistent_metadata: true, metadata: before }
    const drifted = await engine.metadata('replace_metadata', args, { version: 2 })
    assert.equal(drifted.status, 200, drifted.text)
    for (const { kind } of group) await makeWay(engine, kind)
    const healing = variants
      .filter(({ attribute }) => !isWriteOnly(attribute))
      .map((variant) => `${addressOf(variant)} ${isReplacing(variant) ? 'create' : 'update'}`)
    assert.deepEqual([...(await folder.applied())].sort(), healing.sort())
    assert.deepEqual(await folder.planned(), [])
    // what had another identity before is there twice now, all else is as it was
    if (!variants.some(isReplacing)) assert.deepEqual(await exported(engine), after)
  })

function configuration(
  variants: readonly Variant[],
  typeOf: (variant: Variant) => string,
  pick: (variant: Variant) => object,
): string {
  const resource: Record<string, Record<string, object>> = {}
  for (const variant of variants)
    resource[typeOf(variant)] = { ...resource[typeOf(variant)], [slotOf(variant.attribute)]: pick(variant) }
  const terraform = { required_providers: { svc: { source: 'svc/svc', version: VERSION } } }
  return JSON.stringify({ terraform, resource }, null, 1)
}
