import { test } from 'node:test'
import { fuzzAuthentication } from './fuzz-authentication.ts'

test('no header and no token gives a session that it should not, or an error that is not the mode’s', () =>
  fuzzAuthentication(1000, 7))
