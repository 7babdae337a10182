import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from './routing-settings.ts'

test('the address of a replica or member is where it is, without secrets', () => {
  const addresses = {
    'postgres://u:hush@h:1/db': 'h:1/db',
    'postgres://u:p@hush@h/db': 'h/db',
    'postgres://u:a/hush@h:1/db': '(unreadable)',
    'postgres://u:123/hush@h:1/db': '(unreadable)',
    'host=h port=2 password=hush dbname=d': 'h:2/d',
    'postgres:///db?host=/tmp&password=hush': '/tmp/db',
    hush: '(unreadable)',
  }
  for (const [url, address] of Object.entries(addresses)) assert.equal(addressOf(url), address, url)
})
