/** Functions that read single objects, by the real Pulumi. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG, startLedger } from '../ledger.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const reading = (name: string) =>
  program(
    {
      ours: {
        type: 'svc:SelectPermission',
        properties: { table: { name: 'account' }, role: 'ours', columns: ['id'], filter: `\${theirs.filter}` },
      },
    },
    {
      variables: {
        theirs: {
          'fn::invoke': { function: 'svc:getSelectPermission', arguments: { table: { name }, role: 'theirs' } },
        },
      },
    },
  )

test('what another stack declares is read; what is not there is an error that names what is', {
  skip: withoutPulumi,
}, async (t) => {
  const { engine, ids } = await startLedger(t)
  const permission = { columns: ['id'], filter: { id: { _eq: JSON.rawJSON(LONG) } } }
  await engine.metadata('pg_track_table', { table: 'account' })
  await engine.metadata('pg_create_select_permission', { table: 'account', role: 'theirs', permission })
  const project = await createPulumiProject(engine, t)
  project.write('Pulumi.yaml', reading('account'))
  await project.up()
  assert.deepEqual(await ids('ours'), [LONG])
  assert.equal(await project.isChanged(), false)
  project.write('Pulumi.yaml', reading('acount'))
  const { stdout, stderr } = await project.run('preview')
  assert.match(
    `${stdout}${stderr}`.replaceAll(/\s+/g, ' '),
    /the engine has no svc:index:SelectPermission default\/public\/acount\/theirs.*Did you mean default\/public\/account\//,
  )
})
