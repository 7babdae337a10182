import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNoCopy } from './why-no-copy.ts'

const own = {
  serverVersion: 170_002,
  inRecovery: false,
  position: 100n,
  age: null,
  system: '7',
  timeline: 2,
  started: '5',
}
const standby = { ...own, inRecovery: true, started: '6' }

test('a standby of the source may be behind in its log, its timeline and its minor version', () => {
  assert.equal(whyNoCopy(standby, own), null)
  assert.equal(whyNoCopy({ ...standby, position: 1n, timeline: 1, serverVersion: 170_000 }, own), null)
})

test('another version, another cluster and a server that follows another one are none', () => {
  assert.equal(whyNoCopy({ ...standby, serverVersion: 180_000 }, own), 'its version is 18, that of the source 17')
  assert.equal(whyNoCopy({ ...standby, system: '8' }, own), 'it is no physical copy of the source but another cluster')
  assert.equal(
    whyNoCopy({ ...standby, timeline: 3 }, own),
    'it follows another server: its timeline is 3, that of the source 2',
  )
  assert.equal(whyNoCopy({ ...standby, position: 101n }, own), 'it has followed what the source has not')
})

test('one that takes writes is the source itself or was promoted', () => {
  assert.equal(whyNoCopy(own, own), null)
  const promoted = { ...standby, inRecovery: false, timeline: 3 }
  assert.equal(whyNoCopy(promoted, own), 'it takes writes itself, as if it was promoted')
  assert.equal(whyNoCopy({ ...promoted, timeline: 2 }, own), 'it takes writes itself, as if it was promoted')
  const away = { ...own, inRecovery: null, position: null, timeline: null, started: null }
  assert.equal(whyNoCopy(promoted, away), null)
  assert.equal(whyNoCopy({ ...standby, inRecovery: null }, { ...own, inRecovery: true }), null)
})

test('what is hidden is no reason', () => {
  const hidden = { system: null, timeline: null }
  assert.equal(whyNoCopy({ ...standby, ...hidden }, own), null)
  assert.equal(whyNoCopy(standby, { ...own, ...hidden }), null)
  assert.equal(
    whyNoCopy({ ...hidden, ...standby, inRecovery: null, started: null, position: null, age: null }, own),
    null,
  )
})
