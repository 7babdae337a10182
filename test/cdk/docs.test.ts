import assert from 'node:assert/strict'
import { readFile, symlink } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startStore } from '../adopt/live-store.ts'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import { createTerraformFolder, withoutTerraform } from '../terraform/terraform.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('docs/cdk.md is true from its program to its last example', { skip: withoutTerraform }, async (t) => {
  const engine = await startStore(t, null)
  const source = {
    name: 'default',
    configuration: { connection_info: { database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' } } },
  }
  await engine.metadata('pg_add_source', source)
  const folder = await createTerraformFolder(engine, t)
  folder.environment.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  await folder.write('package.json', '{ "type": "module" }')
  let ran = 0
  for (const { language, text } of blocksOf(await readFile(join(root, 'docs/cdk.md'), 'utf8'))) {
    const file = /^\/\/ file: (.+)\n/.exec(text)?.[1]
    if (language === 'ts' && file) await folder.write(file, text)
    if (language === 'console')
      for (const { command, output } of examplesOf(text)) {
        ran++
        const printed = await folder.shell(command)
        assert.match(printed, patternOf(output), `\`${command}\` printed:\n${printed}`)
      }
  }
  assert.equal(ran, 4)
})
