import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const module = new URL('./bound-heap.ts', import.meta.url).href

/** The largest young generation, in megabytes, of a program that makes many objects which live for a while. */
function youngGeneration(options: readonly string[], bound: boolean): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { setImmediate } from 'node:timers/promises'
    import { boundHeap } from ${JSON.stringify(module)}
    if (${bound}) boundHeap()
    let kept = []
    let largest = 0
    for (let round = 0; round < 300; round++) {
      for (let i = 0; i < 10_000; i++) kept.push({ i, of: [i, round] })
      if (kept.length > 200_000) kept = kept.slice(100_000)
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      largest = Math.max(largest, young.space_size / 2 ** 20)
      await setImmediate()
    }
    console.log(largest)`
  const args = [...options, '--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(stderr, '')
  return Number(stdout)
}

test('the young generation of a bounded heap remains at 32 MB, where it would take four times as much', () => {
  const [bounded, unbounded] = [youngGeneration([], true), youngGeneration([], false)]
  assert.ok(bounded >= 16 && bounded <= 64, `${bounded} MB`)
  assert.ok(unbounded > 1.9 * bounded, `${unbounded} MB beside ${bounded}`)
})

test('a size that is set by hand is kept', () => {
  assert.equal(youngGeneration(['--max-semi-space-size=64', '--min-semi-space-size=64'], true), 128)
})
