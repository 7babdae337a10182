import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutPulumi } from '../pulumi/requirements.ts'
import { ODD_SECRET, startOddEngine } from './odd-metadata.ts'
import { adoptByPulumi, assertTakenByPulumi } from './take-over.ts'

// large stacks are in the soak
test('odd names, templates and secrets are taken over by a program', { skip: withoutPulumi }, async (t) => {
  const { engine, resources } = await startOddEngine(t)
  for (const language of ['typescript', 'yaml'] as const)
    await t.test(language, async (t) => {
      const project = await adoptByPulumi(t, engine, language)
      for (const file of await readdir(project.path))
        if (/\.(ts|json|yaml)$/.test(file))
          assert.ok(!(await readFile(join(project.path, file), 'utf8')).includes(ODD_SECRET), file)
      await project.succeed('config', 'set', '--secret', 'archiveSourceDatabaseUrl', resources.archiveUrl)
      await project.succeed('config', 'set', '--secret', 'partsSourceConnectionParametersPassword', ODD_SECRET)
      await assertTakenByPulumi(project, engine, resources.count)
    })
})
