/** The files of examples/deploy that are no manifests, each judged by the program that reads it where there is one. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { parseArguments, readConfig } from '../../engine/src/config/index.ts'
import { unless } from '../requirement.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const textOf = (name: string) => readFileSync(join(root, name), 'utf8')
const deployed = (name: string) => textOf(`examples/deploy/${name}`)
const isThere = (program: string, ...words: readonly string[]) => spawnSync(program, words).status === 0

const patternOf = (glob: string) =>
  new RegExp(
    `^${glob
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(?:.+/)?')
      .replaceAll(/(?<![)+.])\*/g, '[^/]*')}$`,
  )

/** Whether .dockerignore keeps a file out of the build: the last line that matches it, or a folder above it, decides. */
function isIgnored(file: string): boolean {
  const parts = file.split('/')
  const paths = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  const lines = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const matching = lines.findLast((line) => paths.some((path) => patternOf(line.replace(/^!/, '')).test(path)))
  return matching !== undefined && !matching.startsWith('!')
}

test('an image is built only from sources: no secrets, no states, no installed packages, no history', () => {
  const tracked = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  const sent = tracked.filter((file) => !isIgnored(file))
  assert.ok(
    sent.includes('engine/src/main.ts') && sent.includes('package-lock.json') && sent.includes('tools/build.ts'),
  )
  assert.ok(sent.includes('provider/package.json') && !sent.includes('provider/src/cli/run-cli.ts'))
  const bytes = sent.reduce((sum, file) => sum + readFileSync(join(root, file)).length, 0)
  assert.ok(bytes < 20_000_000, `${bytes} bytes`)
  for (const file of [
    '.env',
    'engine/.env',
    'engine/.env.production',
    '.git/config',
    'node_modules/pg/package.json',
    'engine/node_modules/pg/package.json',
    '.svc/data/PG_VERSION',
    'engine/.svc/data/PG_VERSION',
    'results/report.json',
    'terraform.tfstate',
    'tools/terraform.tfstate.backup',
    'engine/dist/src/main.js',
    'secrets.yaml',
  ])
    assert.ok(isIgnored(file), file)
})

/** A file and all it imports before it runs, and what these import. */
function importedBy(file: string): readonly string[] {
  const found = new Set([file])
  for (const each of found)
    for (const [, path = ''] of textOf(each).matchAll(/^(?:import|export|\}) .*from '(\.[^']+)'$/gm))
      found.add(join(dirname(each), path))
  return [...found]
}

test('an image is built from all that its build reads', () => {
  const [, named = ''] = /npm run build -- (.+)$/m.exec(deployed('Containerfile')) ?? []
  const sources = named.split(' ').flatMap((workspace) => {
    const { stdout } = spawnSync('git', ['ls-files', workspace], { cwd: root, encoding: 'utf8' })
    const published = stdout.split('\n').filter((file) => file !== '' && !/(\.test\.ts|\/test\/.*)$/.test(file))
    assert.ok(published.length > 0, workspace)
    return published
  })
  const read = [...importedBy('tools/build.ts'), ...sources]
  assert.ok(read.includes('console/build.ts') && read.includes('engine/src/main.ts'))
  assert.deepEqual(read.filter(isIgnored), [])
  assert.ok(isIgnored('console/page/page.html'), 'a page that was built before is built again')
})

test('the image installs by the lockfile, and dumps PostgreSQL 18', () => {
  const lines = deployed('Containerfile')
  assert.doesNotMatch(lines, /npm install/)
  assert.match(lines, /COPY package.json package-lock.json/)
  assert.match(lines, /postgresql-client-18\b/)
  for (const [, folder = ''] of lines.matchAll(/^COPY --from=build \/source\/(\S+)\/dist/gm))
    assert.ok(!isIgnored(`${folder}/package.json`), folder)
})

test('the engines of the compose file can be configured so, and are stopped in time', () => {
  const { services } = parse(deployed('compose.yaml'), { merge: true })
  const { environment, stop_grace_period } = services['engine-a']
  const filled = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, String(value).replaceAll(/\$\{\w+:\?\}/g, 'secret')]),
  )
  const config = readConfig(parseArguments(['serve']).flags, filled)
  assert.equal(config.eventingIdentity, 'compose')
  assert.ok(Number.parseInt(stop_grace_period, 10) > config.shutdownDelay + config.gracefulShutdownTimeout)
  for (const name of deployed('haproxy.cfg').matchAll(/^ +server \S+ (\S+):8080$/gm)) assert.ok(services[name[1] ?? ''])
  for (const value of Object.values(services.postgres.environment)) assert.doesNotMatch(String(value), /secret|change/)
})

const compose = unless('compose', isThere('docker', 'compose', 'version'), 'needs docker compose')
test('docker compose reads the compose file', { skip: compose }, () => {
  const env = { ...process.env, POSTGRES_PASSWORD: 'p', SVC_GRAPHQL_ADMIN_SECRET: 's' }
  const words = ['compose', '-f', 'examples/deploy/compose.yaml', 'config', '--quiet']
  const { status, stderr } = spawnSync('docker', words, { cwd: root, env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

const systemd = unless('systemd', isThere('systemd-analyze', '--version'), 'needs systemd-analyze')
test('systemd reads the unit, and gives the engine time to stop', { skip: systemd }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-unit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const unit = deployed('svc-engine.service')
  writeFileSync(join(folder, 'svc-engine.service'), unit)
  const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', join(folder, 'svc-engine.service')], {
    encoding: 'utf8',
  })
  const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('svc-engine.service'))
  assert.deepEqual([status, about], [0, []])
  const environment = Object.fromEntries(
    [...unit.matchAll(/\b(SVC_GRAPHQL_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const config = readConfig(parseArguments(['serve']).flags, {
    ...environment,
    SVC_GRAPHQL_DATABASE_URL: 'postgres://u@h/d',
  })
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
  assert.ok(stop > config.shutdownDelay + config.gracefulShutdownTimeout)
})
