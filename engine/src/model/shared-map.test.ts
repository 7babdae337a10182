import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedMap } from './shared-map.ts'

test('every version holds what was put into it, whatever becomes of later ones', () => {
  let state = 1
  const below = (most: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return state % most
  }
  const versions: { readonly shared: SharedMap<number>; readonly plain: ReadonlyMap<string, number> }[] = [
    { shared: new SharedMap(), plain: new Map() },
  ]
  for (let step = 0; step < 300; step++) {
    const from = versions[below(versions.length)]
    assert.ok(from)
    const [work, plain] = [from.shared.edit(), new Map(from.plain)]
    for (let i = below(step % 10 === 0 ? 400 : 10); i > 0; i--) {
      const key = `key ${below(500)}`
      if (below(3) === 0) {
        work.delete(key)
        plain.delete(key)
      } else {
        work.set(key, step)
        plain.set(key, step)
      }
      assert.equal(work.get(key), plain.get(key))
      assert.equal(work.size, plain.size)
    }
    versions.push({ shared: work.finish(), plain })
  }
  for (const { shared, plain } of versions) {
    const sorted = (map: Iterable<readonly [string, number]>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
    assert.deepEqual(sorted(shared), sorted(plain))
    assert.equal(shared.size, plain.size)
    assert.equal(shared.isEmpty(), plain.size === 0)
    for (let i = 0; i < 500; i++) assert.equal(shared.has(`key ${i}`), plain.has(`key ${i}`))
  }
})

test('a version that nothing was written to is the one it was made from', () => {
  const filled = new SharedMap<number>().edit().set('a', 1).finish()
  assert.equal(filled.edit().finish(), filled)
  const same = filled.edit()
  same.delete('b')
  assert.equal(same.finish(), filled)
})
