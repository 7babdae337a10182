import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ParallelismOption, parallelismIn } from './tool-parallelism.ts'

const option: ParallelismOption = {
  programs: ['tool'],
  options: ['parallelism', 'p'],
  variables: ['TOOL_ARGS', 'TOOL_PARALLEL'],
  usual: 10,
}

for (const [args, environment, expected] of [
  [['plan'], {}, 10],
  [['plan', '-parallelism=1'], {}, 1],
  [['plan', '-parallelism', '30', '-out=x'], {}, 30],
  [['up', '-p', '4'], {}, 4],
  [['plan'], { TOOL_ARGS: '-no-color -parallelism=2' }, 2],
  [['plan'], { TOOL_PARALLEL: '3' }, 3],
  [['plan', '-parallelism=5'], { TOOL_ARGS: '-parallelism=2' }, 5],
  [['plan', '-parallelism=0'], {}, 10],
  [['plan', '-parallelisms=3', '-target=svc_table.p'], {}, 10],
] as const)
  test(`${args.join(' ')} with ${JSON.stringify(environment)}: ${expected} at once`, () => {
    assert.equal(parallelismIn(option, args, environment), expected)
  })
