/** Every attribute of every kind, by the real Pulumi: made, changed or replaced, drifted, healed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exported, groups, isWriteOnly, makeWay, setUpKinds } from '../terraform/kind-stage.ts'
import { type Config, slotOf, type Variant } from '../terraform/variants/variant.ts'
import { inputsOf } from './inputs-of.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

for (const group of groups)
  test(`${group.map(({ kind }) => kind).join(', ')}: made, changed or replaced in each attribute, corrected after drift in each`, {
    skip: withoutPulumi,
  }, async (t) => {
    const { engine, variants, changePassword } = await setUpKinds(
      t,
      group.map(({ kind }) => kind),
    )
    const project = await createPulumiProject(engine, t)
    project.environment.PULUMI_SKIP_CHECKPOINTS = 'true'
    const known = variants.filter(({ attribute }) => !isWriteOnly(attribute))
    const kindOf = ({ kind }: Variant) => group.find((one) => one.kind === kind)
    const slot = (variant: Variant) => `${variant.kind}_${slotOf(variant.attribute)}`
    const declare = (pick: (variant: Variant) => Config) =>
      project.write(
        'Pulumi.yaml',
        program(
          Object.fromEntries(
            known.map((variant) => [
              slot(variant),
              { type: `svc:${variant.kind}`, properties: inputsOf(kindOf(variant)?.attributes ?? {}, pick(variant)) },
            ]),
          ),
        ),
      )
    const isReplacing = (variant: Variant) =>
      kindOf(variant)?.attributes[variant.attribute.split('.')[0] ?? '']?.replace === true
    const planned = async () => [...(await project.planned('--refresh'))].sort()
    const expected = (replaced: string) =>
      known.map((variant) => `${slot(variant)} ${isReplacing(variant) ? replaced : 'update'}`).sort()

    declare(({ from }) => from)
    await project.up()
    assert.deepEqual(await planned(), [])
    const before = await exported(engine)

    await changePassword()
    declare(({ to }) => to)
    assert.deepEqual(await planned(), expected('replace'))
    await project.up()
    const after = await exported(engine)

    const args = { allow_inconsistent_metadata: true, metadata: before }
    const drifted = await engine.metadata('replace_metadata', args, { version: 2 })
    assert.equal(drifted.status, 200, drifted.text)
    for (const { kind } of group) await makeWay(engine, kind)
    assert.deepEqual(await planned(), expected('create'))
    await project.up('--refresh')
    assert.deepEqual(await planned(), [])
    if (!known.some(isReplacing)) assert.deepEqual(await exported(engine), after)
  })
