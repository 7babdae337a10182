/** The life of a whole stack with the real Pulumi: the music store of examples/, in TypeScript and in YAML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '../engine.ts'
import { differencesOf, example, startStore } from './music-store.ts'
import { createPulumiProject, type StackResource } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const OBJECTS = 81

for (const language of ['typescript', 'yaml'] as const)
  test(`the music store in ${language} is made, served, corrected, imported and destroyed`, {
    skip: withoutPulumi,
  }, async (t) => {
    const engine = await startStore(t)
    const project = await createPulumiProject(engine, t)
    project.copy(example(`pulumi-${language}`))

    await t.test('a preview reports what an update makes, which is what the directory declares', async () => {
      const { changes, said } = await project.preview()
      assert.deepEqual(said, [])
      assert.equal(changes.create, OBJECTS + 1)
      project.environment.PULUMI_NODEJS_TRANSPILE_ONLY = undefined
      assert.equal((await project.up()).create, OBJECTS + 1)
      project.environment.PULUMI_NODEJS_TRANSPILE_ONLY = 'true'
      assert.deepEqual(await differencesOf(engine), [])
    })

    await t.test('a preview after it expects no changes', async () => {
      assert.equal(await project.isChanged(), false)
    })

    await t.test('a restricted role sees what it may', () => assertServed(engine))

    await t.test('an undeclared change and removal are found, and an update corrects them', async () => {
      await changeByHand(engine)
      const { create, update } = await project.up()
      assert.deepEqual({ create, update }, { create: 1, update: 1 })
      assert.deepEqual(await differencesOf(engine), [])
    })

    await t.test(
      'everything is imported into an empty state, and the preview after it expects no changes',
      { skip: language === 'yaml' && 'what is imported knows no language' },
      async () => {
        const made = await project.resources()
        assert.equal(made.length, OBJECTS)
        const other = await createPulumiProject(engine, t)
        other.copy(example(`pulumi-${language}`))
        other.write('import.json', JSON.stringify({ resources: made.map(importOf) }))
        const version = async () => (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version
        const before = await version()
        await other.succeed('import', '--file=import.json', '--generate-code=false', '--protect=false', '--yes')
        assert.equal(await other.isChanged(), false)
        assert.equal(await version(), before)
      },
    )

    await t.test('a destruction leaves nothing', async () => {
      await project.succeed('destroy', '--yes')
      const { body } = await engine.metadata('export_metadata', {})
      assert.deepEqual(body.sources ?? [], [])
      assert.deepEqual(await project.resources(), [])
    })
  })

const importOf = ({ urn, type, id }: StackResource) => ({ type, name: urn.slice(urn.lastIndexOf('::') + 2), id })

async function assertServed(engine: Engine): Promise<void> {
  const query = '{ customer { first_name invoices(limit: 1, order_by: { id: asc }) { id } } }'
  const role = { 'x-svc-role': 'customer', 'x-svc-customer-id': '6' }
  const { body } = await engine.post('/v1/graphql', { query }, role)
  assert.equal(body.data?.customer.length, 1, JSON.stringify(body))
  const refused = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'listener' })
  assert.match(refused.text, /field 'customer' not found/)
}

async function changeByHand(engine: Engine): Promise<void> {
  const table = { schema: 'public', name: 'customer' }
  const role = { source: 'default', table, role: 'customer' }
  await engine.metadata('pg_drop_select_permission', role)
  await engine.metadata('pg_create_select_permission', { ...role, permission: { columns: '*', filter: {} } })
  await engine.metadata('pg_drop_relationship', { source: 'default', table, relationship: 'invoices' })
}
