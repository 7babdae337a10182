/** Files that mean harm, each refused before anything is made of it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkProject, type Finding } from './check-project.ts'

const minimal = { 'metadata/version.yaml': 'version: 3\n' }

async function findingsOf(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  prepare: (folder: string) => unknown = () => {},
): Promise<readonly Finding[]> {
  const project = await mkdtemp(join(tmpdir(), 'svc-unsafe-'))
  t.after(() => rm(project, { recursive: true, force: true }))
  for (const [file, text] of Object.entries({ ...minimal, ...files })) {
    await mkdir(dirname(join(project, file)), { recursive: true })
    await writeFile(join(project, file), text)
  }
  await prepare(project)
  const at = (name: string) => join(project, name)
  const paths = {
    project,
    metadata: at('metadata'),
    migrations: at('migrations'),
    seeds: at('seeds'),
    tests: at('tests'),
    introspections: at('introspections'),
  }
  // no engine is started for any of them
  const { findings } = await checkProject(paths, null, { signal: AbortSignal.abort(), diskLimit: 1 })
  return findings
}

const messages = (findings: readonly Finding[]) => findings.map(({ message }) => message)

for (const place of [
  'metadata/actions.yaml',
  'migrations/default/1_a/up.sql',
  'tests/a.yaml',
  'introspections/far.json',
  'seeds',
])
  test(`a link at ${place} is not followed`, async (t) => {
    const found = await findingsOf(t, {}, async (project) => {
      await mkdir(dirname(join(project, place)), { recursive: true })
      await symlink('/etc', join(project, place))
    })
    assert.deepEqual(messages(found), ['is a link, and links are not followed here'])
    assert.ok(found[0]?.file?.endsWith(place.replaceAll('/', sep)))
  })

test('a pipe is not read', { skip: process.platform === 'win32' }, async (t) => {
  const found = await findingsOf(t, {}, (project) => execFileSync('mkfifo', [join(project, 'metadata/actions.yaml')]))
  assert.deepEqual(messages(found), ['is no regular file'])
})

test('a huge file is not read', async (t) => {
  const found = await findingsOf(t, { 'metadata/actions.yaml': '' }, (project) =>
    truncate(join(project, 'metadata/actions.yaml'), 2 ** 40),
  )
  assert.deepEqual(messages(found), ['makes the files of the project more than 256 MB'])
})

const includes = (path: string) => ({ 'metadata/actions.yaml': `actions: !include ${path}\n`, '.env': 'a: b\n' })

for (const [path, why] of [
  ['../../../../../../etc/passwd', /which is outside/],
  ['/etc/passwd', /give a path relative to that file/],
  ['../.env', /which is hidden or a link/],
  ['../node_modules/a.yaml', /which is hidden or a link/],
] as const)
  test(`an include of ${path} is not read`, async (t) => {
    const [found] = await findingsOf(t, includes(path))
    assert.match(found?.message ?? '', why)
  })

test('an include of a link is not read', async (t) => {
  const [found] = await findingsOf(t, includes('../shared/a.yaml'), async (project) => {
    await mkdir(join(project, 'shared'))
    await writeFile(join(project, 'b.yaml'), '[]\n')
    await symlink('../b.yaml', join(project, 'shared/a.yaml'))
  })
  assert.match(found?.message ?? '', /which is hidden or a link/)
})

test('aliases that multiply are refused', async (t) => {
  const lines = ['a0: &a0 [x, x]']
  for (let at = 1; at < 40; at++) lines.push(`a${at}: &a${at} [${Array(9).fill(`*a${at - 1}`)}]`)
  const [found] = await findingsOf(t, { 'metadata/actions.yaml': lines.join('\n') })
  assert.match(found?.message ?? '', /[Ee]xcessive alias count/)
})

test('includes that multiply are refused', async (t) => {
  const files: Record<string, string> = { 'metadata/actions.yaml': '[!include 0.yaml]\n', 'metadata/12.yaml': 'x\n' }
  for (let at = 0; at < 12; at++) files[`metadata/${at}.yaml`] = `[${Array(40).fill(`!include ${at + 1}.yaml`)}]\n`
  const [found] = await findingsOf(t, files)
  assert.match(found?.message ?? '', /files of metadata may have 256 MB in all/)
})

test('lists in lists without end are refused', async (t) => {
  const [found] = await findingsOf(t, { 'metadata/actions.yaml': '['.repeat(20_000) })
  assert.ok(found)
})
