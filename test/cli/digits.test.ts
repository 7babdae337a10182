/** Long numbers by the `svc` command: from files to the engine, and back into files. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { LONG, startLedger } from '../ledger.ts'
import { createSvcFolder } from './svc.ts'

test('a directory with long numbers is applied, compared and exported with all digits', async (t) => {
  const { engine, ids } = await startLedger(t)
  const folder = await createSvcFolder(engine, t)
  const svc = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await folder.svc(...args)
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }
  await engine.metadata('pg_track_table', { table: 'account' })
  await svc('metadata', 'export')
  const file = join(folder.path, 'metadata/databases/default/tables/public_account.yaml')
  const table = await readFile(file, 'utf8')
  const declare = (number: string) =>
    writeFile(
      file,
      `${table}select_permissions:
  - role: user
    permission:
      columns: [id]
      filter:
        id:
          _eq: ${number}
        amount:
          _lt: 1e400
`,
    )
  await declare(LONG)
  assert.match(await svc('metadata', 'diff', '--type', 'unified-yaml'), new RegExp(`_eq: ${LONG}`))
  await svc('metadata', 'apply')
  assert.deepEqual(await ids('user'), [LONG])
  assert.match(await svc('metadata', 'diff'), /zero differences/)
  assert.equal((await folder.svc('drift')).code, 0)
  await declare(`${LONG}.0`)
  assert.match(await svc('metadata', 'diff'), /zero differences/)
  await svc('metadata', 'export')
  assert.match(await readFile(file, 'utf8'), new RegExp(`_eq: ${LONG}\n`))
  assert.match(await svc('metadata', 'export', '-o', 'json'), new RegExp(`"_eq": ${LONG}\n`))
  assert.match(await svc('metadata', 'export', '-o', 'yaml'), /_lt: 1e\+400\n/)
  await declare('9007199254740994')
  const drift = await folder.svc('drift')
  assert.equal(drift.code, 2, drift.stdout)
  assert.match(drift.stdout, new RegExp(LONG))
  assert.match(drift.stdout, /9007199254740994/)
})
