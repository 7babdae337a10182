/** Long numbers by the real Pulumi, whose own numbers are doubles: as text of JSON they are carried, as numbers refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG, startLedger } from '../ledger.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const declaring = (filter: unknown, imported?: string) =>
  program({
    account: { type: 'svc:Table', properties: { table: { name: 'account' } } },
    user: {
      type: 'svc:SelectPermission',
      properties: { table: `\${account.table}`, role: 'user', columns: ['id'], filter },
      options: imported === undefined ? {} : { import: imported },
    },
  })

test('a filter as text keeps its digits; a number that a double does not hold is refused', {
  skip: withoutPulumi,
}, async (t) => {
  const { engine, ids } = await startLedger(t)
  const project = await createPulumiProject(engine, t)
  project.write('Pulumi.yaml', declaring({ id: { _eq: JSON.rawJSON(LONG) } }))
  const refused = await project.run('preview')
  assert.notEqual(refused.code, 0)
  assert.match(
    `${refused.stdout}${refused.stderr}`,
    /filter.*holds the number 900719925474099\d, whose digits this tool does not carry: give it as text/s,
  )
  const filter = `{"id": {"_eq": ${LONG}}}`
  project.write('Pulumi.yaml', declaring(filter))
  await project.up()
  assert.deepEqual(await ids('user'), [LONG])
  assert.equal(await project.isChanged('--refresh'), false)
  project.write('Pulumi.yaml', declaring(`{"id":{"_eq":${LONG}.0}}`))
  assert.equal(await project.isChanged(), false)
  project.write('Pulumi.yaml', declaring('{"id": {"_eq": 9007199254740994}}'))
  assert.deepEqual(await project.planned(), ['user update'])
  await project.up()
  assert.deepEqual(await ids('user'), ['9007199254740994'])
  // what another client has made of it arrives as text
  const by = { table: 'account', role: 'user' }
  const live = { id: { _eq: JSON.rawJSON('9007199254740995') } }
  await engine.metadata('pg_drop_select_permission', by)
  await engine.metadata('pg_create_select_permission', { ...by, permission: { columns: ['id'], filter: live } })
  assert.deepEqual(await project.planned('--refresh'), ['user update'])
  await project.up('--refresh')
  assert.deepEqual(await ids('user'), ['9007199254740994'])
  const id = (await project.resources()).find(({ urn }) => urn.endsWith('::user'))?.id
  await project.succeed(
    'state',
    'delete',
    '--yes',
    '--target-dependents',
    'urn:pulumi:test::test::svc:index:SelectPermission::user',
  )
  project.write('Pulumi.yaml', declaring('{"id":{"_eq":9007199254740994}}', id))
  await project.up()
  assert.equal(await project.isChanged('--refresh'), false)
})
