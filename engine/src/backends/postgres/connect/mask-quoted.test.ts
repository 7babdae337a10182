import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { ApiError, errorForRole } from '../../../errors.ts'
import { maskQuoted } from './mask-quoted.ts'
import { administrator, openSource, plan } from './source.fixture.ts'

test('values that are not the own ones are masked, from the first quote to the last', () => {
  const own = (value: string) => value === 'mine'
  const masked: readonly (readonly [string, string | null])[] = [
    ['division by zero', null],
    ['invalid input syntax for type integer: "mine"', null],
    ['invalid input syntax for type integer: "secret"', 'invalid input syntax for type integer: "…"'],
    ['invalid input syntax for type integer: "a "mine" b"', 'invalid input syntax for type integer: "…"'],
    ['invalid input syntax for type integer: ""', 'invalid input syntax for type integer: "…"'],
    ['invalid input syntax for type integer: "a\n"', 'invalid input syntax for type integer: "…"'],
    ['value "mine" is out of range for "mine"', null],
    ['value "mine" is out of range for "other"', 'value "…"'],
    ['value "1" is out of range for type integer', 'value "…" is out of range for type integer'],
    [
      'syntaxe en entrée invalide pour le type integer : « secret »',
      'syntaxe en entrée invalide pour le type integer : "…"',
    ],
    ['ungültige Eingabe für Typ integer: »secret«', 'ungültige Eingabe für Typ integer: "…"'],
    ['„secret“ and "mine"', '"…"'],
    ['invalid byte sequence for encoding "UTF8": 0x00', null],
  ]
  for (const [message, expected] of masked) assert.equal(maskQuoted(message, own), expected, message)
})

let url: string
before(async () => {
  url = (await createTestDatabase()).url
  await administrator(url)(`CREATE TABLE note (id int, owner int, text text);
    INSERT INTO note VALUES (1, 1, '7'), (2, 2, 'secret')`)
})

/** The message as a role sees it, as the admin does, and what `internal` says. */
async function refusal(promise: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await promise
  } catch (error) {
    const shown = ['user', 'admin'].map((role) => errorForRole(error, role))
    return shown.flatMap((each) => {
      assert.ok(each instanceof ApiError)
      assert.equal(each.code, 'data-exception')
      return [each.message, each.internal !== undefined]
    })
  }
  assert.fail('it was answered')
}

test('what a condition makes of a row that no role may see is shown to the admin only', async (t) => {
  const { source } = await openSource(t, url)
  const whole = 'invalid input syntax for type integer: "secret"'
  const masked = ['invalid input syntax for type integer: "…"', true, whole, true]
  const where = plan(`SELECT count(*)::text FROM note WHERE text::int = ($1)::int`, 1)
  const bound = { plan: where, parameters: ['7'] }
  // often enough to have it planned without its parameters, and kept small
  for (let i = 0; i < 8; i++) {
    assert.deepEqual(await refusal(source.query(where, ['7'])), masked)
    assert.deepEqual(await refusal(source.queryRows(where, ['7'])), masked)
    assert.deepEqual(await refusal(source.transaction((tx) => tx.query(where, ['7']))), masked)
    const failed = source.runTransaction([bound]).catch((error) => Promise.reject(error.cause))
    assert.deepEqual(await refusal(failed), masked)
  }
  // what a client sent itself is shown as it was: whole, or part of a list, before anything ran; whole afterwards
  const sent: readonly (readonly [string, string])[] = [
    [`SELECT (($1)::int)::text`, 'x'],
    [`SELECT (($1)::int[])::text`, '{1,x}'],
    [`SELECT count(*)::text FROM note WHERE (($1)::text || left(text, 0))::int = 1`, 'x'],
  ]
  for (const [text, parameter] of sent) {
    const message = 'invalid input syntax for type integer: "x"'
    assert.deepEqual(await refusal(source.query(plan(text, 1), [parameter])), [message, false, message, false])
  }
})
