/** docs/pulumi.md. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PULUMI_PAGES, pulumiPages } from '../../tools/docs/pulumi-pages.ts'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import { startStore } from './music-store.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const page = readFileSync(new URL('../../docs/pulumi.md', import.meta.url), 'utf8')
const compiler = fileURLToPath(new URL('../../node_modules/typescript5/bin/tsc', import.meta.url))

test('docs/pulumi/*.md are what `npm run docs` makes of the schema, and their links lead to pages', () => {
  const pages = pulumiPages()
  const files = readdirSync(PULUMI_PAGES).filter((name) => name.endsWith('.md'))
  assert.deepEqual(files.sort(), pages.map(({ file }) => file).sort())
  for (const { file, text } of pages) {
    assert.ok(readFileSync(join(PULUMI_PAGES, file), 'utf8') === text, `${file}: run \`npm run docs\``)
    for (const [, target = ''] of text.matchAll(/\]\((\w+\.md)\)/g)) assert.ok(files.includes(target), target)
  }
})

test('docs/pulumi.md is true from its first example to its last', { skip: withoutPulumi }, async (t) => {
  const engine = await startStore(t)
  const project = await createPulumiProject(engine, t)
  let ran = 0
  for (const { language, text } of blocksOf(page)) {
    const file = /^# file: (.+)\n/.exec(text)?.[1]
    if (language === 'yaml' && file) project.write(file, text)
    if (language === 'console')
      for (const { command, output } of examplesOf(text)) {
        ran++
        const printed = await project.shell(command)
        assert.match(printed, patternOf(output), `\`${command}\` printed:\n${printed}`)
      }
  }
  assert.ok(ran > 0)

  await t.test('its programs in TypeScript compile', () => {
    const programs = blocksOf(page).filter(({ language }) => language === 'ts')
    assert.ok(programs.length > 0)
    for (const { text } of programs) {
      writeFileSync(join(project.path, 'index.ts'), text)
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'index.ts']
      const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], {
        cwd: project.path,
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
    }
  })
})
