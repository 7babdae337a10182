/** What the executables run before they say where they listen: not the declarations, which take a third of a start. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { cachedPulumiPlugin, PLUGIN_NAME } from '../../tools/bundle-pulumi.ts'
import { cachedTerraformProvider } from '../../tools/bundle-terraform.ts'

/** The first text on stdout ends the process, which then says whether zod, and so what is made with it, has run. */
const hook = `const { write } = process.stdout
process.stdout.write = function (...given) {
  if ('__zod_globalConfig' in globalThis) process.stderr.write('declarations')
  return write.call(this, given[0], () => process.exit(0))
}`

const executables = [
  ['terraform', () => cachedTerraformProvider(), ['--debug']],
  ['pulumi', async () => join(await cachedPulumiPlugin(), PLUGIN_NAME), []],
] as const

for (const [tool, build, args] of executables)
  test(`the provider for ${tool} is ready before the declarations are loaded`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'hook.cjs')
    writeFileSync(file, hook)
    const child = spawn(await build(), args, {
      env: { ...process.env, NODE_OPTIONS: `--require=${file}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    assert.equal(complained, '')
    assert.notEqual(said, '')
    assert.equal(code, 0)
  })
