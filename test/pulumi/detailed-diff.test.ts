/** What a preview says of each property, by the real Pulumi: paths, and what would be done to each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program } from './many-resources.ts'
import { startStore } from './music-store.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

/** A program with a table, a permission on it, a collection, and an event whose id is not known before it is made. */
const declaring = ({ album = {}, permission = {}, collection = {}, more = {} }: Record<string, object>) =>
  program({
    album: { type: 'svc:Table', properties: { table: { name: 'album' }, comment: 'What they have made', ...album } },
    listener: {
      type: 'svc:SelectPermission',
      properties: {
        table: `\${album.table}`,
        role: 'listener',
        columns: ['id', 'title'],
        filter: { id: { _gt: 1 } },
        ...permission,
      },
    },
    queries: {
      type: 'svc:QueryCollection',
      properties: { name: 'queries', queries: [{ name: 'one', query: '{ __typename }' }], ...collection },
    },
    ...more,
  })

test('a preview shows added, changed and removed properties, a rename, a replacement, and what is not known yet', {
  skip: withoutPulumi,
}, async (t) => {
  const engine = await startStore(t)
  const project = await createPulumiProject(engine, t)
  project.write('Pulumi.yaml', declaring({}))
  await project.up()
  const differences = async (changed: Record<string, object>) => {
    project.write('Pulumi.yaml', declaring(changed))
    return project.differences()
  }

  assert.deepEqual(
    await differences({
      album: { comment: undefined, customRootFields: { selectByPk: { name: 'one_album' } } },
      permission: { limit: 7, columns: ['id'], filter: { id: { _gt: 2 } } },
      collection: {
        queries: [
          { name: 'one', query: '{ a: __typename }' },
          { name: 'two', query: '{ __typename }' },
        ],
      },
    }),
    {
      album: { comment: 'delete', customRootFields: 'add' },
      listener: { columns: 'update', 'filter.id._gt': 'update', limit: 'add' },
      queries: { queries: 'update' },
    },
  )
  // a collection that is renamed, another role, another table with what lies in it
  assert.deepEqual(await differences({ collection: { name: 'questions' } }), { queries: { name: 'update-replace' } })
  assert.deepEqual(await differences({ permission: { role: 'user' } }), { listener: { role: 'update-replace' } })
  assert.deepEqual(
    await differences({ album: { table: { name: 'genre' } }, permission: { columns: ['id'], filter: {} } }),
    {
      album: { 'table.name': 'update-replace' },
      listener: { 'table.name': 'update-replace', columns: 'update', 'filter.id': 'delete' },
    },
  )
  const event = {
    type: 'svc:ScheduledEvent',
    properties: { webhook: 'https://shop.example.com/', scheduleAt: '2090-01-02T06:00:00Z' },
  }
  assert.deepEqual(
    await differences({ album: { comment: `\${event.id}` }, permission: { role: `\${event.id}` }, more: { event } }),
    { album: { comment: 'update' }, listener: { role: 'update-replace' } },
  )
})
