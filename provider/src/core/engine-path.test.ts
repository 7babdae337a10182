import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEnginePath, pathInArguments } from './engine-path.ts'

test("an engine's path is read whatever its keys are", () => {
  assert.deepEqual(parseEnginePath('$.args[12].args.permission.columns[0]'), [
    'args',
    12,
    'args',
    'permission',
    'columns',
    0,
  ])
  assert.deepEqual(parseEnginePath('$.args["a b"]["x\\"y"].z'), ['args', 'a b', 'x"y', 'z'])
  assert.deepEqual(parseEnginePath('$'), [])
})

test('bulks around an operation are left out', () => {
  assert.deepEqual(pathInArguments('$.args[1].args[0].args.permission.filter'), ['permission', 'filter'])
  assert.deepEqual(pathInArguments('$.args[3].args'), [])
  assert.deepEqual(pathInArguments('$.args.table'), ['table'])
  assert.deepEqual(pathInArguments('$'), [])
})
