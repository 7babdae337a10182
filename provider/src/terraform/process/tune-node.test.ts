import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** Drops 60 MB that have grown old, and reports whether they are given back before it has made many MB more. */
const script = `
import { tuneNode } from ${JSON.stringify(new URL('tune-node.ts', import.meta.url).href)}
if (process.argv.includes('tuned')) tuneNode()
const make = (count) => Array.from({ length: count }, (_, i) => ({ i, text: 'text ' + i }))
let kept = make(600_000)
const before = process.memoryUsage().heapUsed
kept = null
let looks = 0
setTimeout(function look() {
  const { heapUsed } = process.memoryUsage()
  if (heapUsed < before / 2) console.log('given back')
  else if (++looks === 50) console.log('kept')
  else setTimeout(look, 20)
}, 20)
`

const run = (...given: readonly string[]) => {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, '--', ...given]
  const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  assert.equal(stderr, '')
  return stdout.trim()
}

test('what is no longer in use is given back while much memory is still free', () => {
  assert.equal(run('tuned'), 'given back')
  assert.equal(run(), 'kept')
})
