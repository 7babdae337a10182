import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorReport, redactUrl } from './index.ts'

/** Passwords with characters that should have been encoded among them. */
const urls = [
  'postgres://u:hush@h:1/db',
  'postgres://u:a/hush@h:1/db',
  'postgres://u:123/hush@h:1/db',
  'postgres://u:12#hush@h/db',
  'postgres://u:12?hush@h/db',
  'postgres://u:p@hush@h/db',
  'postgres://h/db?user=u&password=hush&x=1',
  "host=h password='hush hush' dbname=d",
  'host=h password=hush dbname=d',
]

test('no password is left of a URL, nor of a message that quotes one', () => {
  for (const url of urls) {
    assert.doesNotMatch(redactUrl(url), /hush/, url)
    assert.doesNotMatch(errorReport(new Error(`cannot read ${url} now`)).message, /hush/, url)
  }
  assert.equal(redactUrl('postgres://u:hush@h:1/db'), 'postgres://u:***@h:1/db')
  assert.equal(errorReport(new Error('a postgres://u:hush@h/db b')).message, 'a postgres://u:***@h/db b')
})
