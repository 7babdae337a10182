/** The examples in TypeScript that the docs of the SDK show. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { PulumiExamples } from '../../provider/src/pulumi/index.ts'
import { cachedPulumiPackage } from '../../tools/bundle-sdk.ts'
import { CONVERTED_EXAMPLES } from '../../tools/sdk/sources.ts'
import { temporaryFolder } from './temporary-folder.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const examples = Object.entries(JSON.parse(readFileSync(CONVERTED_EXAMPLES, 'utf8')) as PulumiExamples)

/** What the compiler prints of the programs, which import the package as it is published. */
async function complaintsOf(folder: string, programs: readonly (readonly [string, string])[]): Promise<string> {
  const links = { '@svc/pulumi': await cachedPulumiPackage(), '@pulumi/pulumi': join(modules, '@pulumi/pulumi') }
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(target, join(folder, 'node_modules', name))
  }
  for (const [name, text] of programs) writeFileSync(join(folder, `${name}.ts`), text)
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'nodenext',
    typeRoots: [join(modules, '@types')],
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  return spawnSync(process.execPath, [join(modules, 'typescript5/bin/tsc')], { cwd: folder, encoding: 'utf8' }).stdout
}

test('every example in TypeScript compiles, and one with a wrong property does not', async (t) => {
  assert.ok(examples.length > 70)
  const wrong = "import * as svc from '@svc/pulumi'\nnew svc.Table('a', { table: { nmae: 'a' } })\n"
  const programs = [...examples.map(([name, { typescript }]) => [name, typescript] as const), ['Wrong', wrong] as const]
  assert.match(await complaintsOf(temporaryFolder(t), programs), /^Wrong\.ts\(2,31\): error [^\n]*'nmae'[^\n]*\n$/)
})
