import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importsOf } from './layout.ts'

/** `@scope/name/inside` and `name/inside` are both found in the package that the first parts name. */
const packageNameOf = (specifier: string): string => (/^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [''])[0]

// all workspaces share one node_modules, so only what is published would notice
for (const workspace of ['schema', 'engine', 'provider'])
  test(`${workspace} declares every package that its sources import, and no other`, () => {
    const manifest: {
      dependencies: Record<string, string>
      optionalDependencies?: Record<string, string>
    } = JSON.parse(readFileSync(`${workspace}/package.json`, 'utf8'))
    const isOptional = (name: string) => name in (manifest.optionalDependencies ?? {})
    const sources = globSync([`${workspace}/src/**/*.ts`, `${workspace}/bin/*.js`]).filter(
      (path) => !path.endsWith('.test.ts'),
    )
    const imported = sources
      .flatMap((path) => importsOf(readFileSync(path, 'utf8')))
      .filter((specifier) => !/^(\.|node:)/.test(specifier))
      .map(packageNameOf)
    const needed = new Set(imported.filter((name) => !isOptional(name)))
    assert.deepEqual([...needed].sort(), Object.keys(manifest.dependencies).sort())
  })
