import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cachedTerraformProvider } from '../../tools/bundle-terraform.ts'

const docs = readFileSync(new URL('../../docs/terraform.md', import.meta.url), 'utf8')

test('the documented command starts the provider for a debugger', async (t) => {
  const [command] = /^.*terraform-provider-svc --debug$/m.exec(docs) ?? []
  assert.ok(command)
  const folder = mkdtempSync(join(tmpdir(), 'svc-debugger-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const provider = join(folder, 'terraform-provider-svc')
  copyFileSync(await cachedTerraformProvider(), provider)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}') // as provider/dist is
  const line = command
    .replace('provider/dist/bin/terraform-provider-svc', provider)
    .replace('--inspect', '--inspect=127.0.0.1:0')
  const child = spawn('sh', ['-c', `exec 2>&1; ${line}`], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  t.after(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const ended = once(child, 'exit')
  while (!/Debugger listening/.test(text) || !/TF_REATTACH_PROVIDERS=/.test(text)) {
    const isOver = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)])
    if (isOver) break
  }
  assert.match(text, /Debugger listening on ws:/)
  assert.match(text, /TF_REATTACH_PROVIDERS='\{/)
})
