import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutTerraform } from '../terraform/terraform.ts'
import { ODD_SECRET, startOddEngine } from './odd-metadata.ts'
import { adoptByTerraform, assertTakenByTerraform } from './take-over.ts'

// the music store is taken over in docs.test.ts, 200 tables in the soak
const withTerraform = { skip: withoutTerraform }

test(
  'names that no language lets stand, equal names, templates and secrets are taken over too',
  withTerraform,
  async (t) => {
    const { engine, resources } = await startOddEngine(t)
    const folder = await adoptByTerraform(t, engine)
    const variables = await readFile(join(folder.path, 'variables.tf'), 'utf8')
    assert.deepEqual(
      [...variables.matchAll(/^variable "(.*)"/gm)].map(([, name]) => name),
      ['archive_database_url', 'parts_connection_parameters_password'],
    )
    for (const file of await readdir(folder.path))
      if (file.endsWith('.tf')) assert.ok(!(await readFile(join(folder.path, file), 'utf8')).includes(ODD_SECRET), file)
    folder.environment.TF_VAR_archive_database_url = resources.archiveUrl
    folder.environment.TF_VAR_parts_connection_parameters_password = ODD_SECRET
    await assertTakenByTerraform(folder, engine, resources.count)
  },
)
