import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Path } from '../../../errors.ts'
import { isConnectionError, queryError, scriptError, writeError } from './database-error.ts'

const said = (number: number, message: string, severity = 16) =>
  Object.assign(new Error(message), { code: 'EREQUEST', number, class: severity })

suite('errors of SQL Server', () => {
  test('of a script have a class by their number, and the words of it', () => {
    const { code, status, message, internal } = scriptError(
      said(208, "Invalid object name 'nope'."),
      'SELECT * FROM nope',
      Path.root,
    )
    assert.deepEqual(
      { code, status, message, internal },
      {
        code: 'not-found',
        status: 400,
        message: "Syntax error or access violation. Table or view not found. Invalid object name 'nope'.",
        internal: { query: 'SELECT * FROM nope' },
      },
    )
  })

  for (const [number, severity, code] of [
    [547, 16, 'constraint-violation'],
    [2628, 16, 'data-exception'],
    [220, 16, 'data-exception'],
    [244, 16, 'data-exception'],
    [248, 16, 'data-exception'],
    [241, 16, 'data-exception'],
    [517, 16, 'data-exception'],
    [156, 15, 'bad-request'],
    [262, 14, 'bad-request'],
    [2812, 16, 'bad-request'],
    [8197, 16, 'not-found'],
    [137, 15, 'bad-request'],
    [2714, 16, 'already-exists'],
    [1913, 16, 'already-exists'],
    [2705, 16, 'already-exists'],
    [4924, 16, 'not-found'],
    [51000, 16, 'bad-request'],
    [245, 16, 'unexpected'],
    [1205, 13, 'unexpected'],
  ] as const)
    test(`of a script: ${number} is ${code}`, () => {
      assert.equal(scriptError(said(number, 'x', severity), '', Path.root).code, code)
    })

  test('of a write show a role no values', () => {
    const error = said(
      2627,
      "Violation of UNIQUE KEY constraint 'k'. Cannot insert duplicate key in object 'dbo.t'. The duplicate key value is (7).",
    )
    const { code, message, adminMessage } = writeError(error, '')
    assert.equal(code, 'constraint-violation')
    assert.equal(
      message,
      "Integrity constraint violation. Violation of UNIQUE KEY constraint 'k'. Cannot insert duplicate key in object 'dbo.t'.",
    )
    assert.match(adminMessage ?? '', /value is \(7\)/)
    assert.equal(
      writeError(said(220, 'Overflow for data type tinyint, value = 300.'), '').message,
      'Data exception. Numeric value out of range. Overflow for data type tinyint.',
    )
    assert.equal(
      writeError(said(248, "The conversion of the nvarchar value '4711' overflowed an int column."), '').message,
      'Data exception. Numeric value out of range. The conversion of the nvarchar value overflowed an int column.',
    )
    assert.equal(
      writeError(said(2628, "Data would be truncated in column 'a'. Truncated value: 'it''s'."), '').message,
      "Data exception. String data, right-truncated. Data would be truncated in column 'a'.",
    )
  })

  test('of a query show nothing but to the admin', () => {
    const { code, status, message, internal } = queryError(said(245, "Conversion failed of 'secret'."), 'SELECT 1')
    assert.deepEqual({ code, status, message }, { code: 'unexpected', status: 500, message: 'database query error' })
    assert.deepEqual(internal, {
      query: 'SELECT 1',
      exception: { type: 'unsuccessful_return_code', message: "Conversion failed of 'secret'." },
    })
  })

  test('are classed by the first of several', () => {
    const last = Object.assign(said(1750, 'Could not create constraint.'), {
      precedingErrors: [said(2714, 'There is already an object.')],
    })
    assert.equal(scriptError(last, '', Path.root).code, 'already-exists')
  })

  test('of a lost connection are no errors of a statement', () => {
    const error = Object.assign(new Error('Connection lost'), { code: 'ESOCKET' })
    assert.equal(isConnectionError(error), true)
    assert.equal(isConnectionError(said(102, 'x')), false)
    const { code, status, message, internal } = queryError(error, '')
    assert.deepEqual(
      { code, status, message, internal },
      {
        code: 'unexpected',
        status: 500,
        message: 'mssql connection error',
        internal: { exception: { type: 'ESOCKET', message: 'Connection lost' } },
      },
    )
  })

  test("of a statement that the server makes no plan of are the client's, whose request is too large", () => {
    for (const number of [191, 8623, 8631, 8632]) {
      const { code, status, message } = queryError(said(number, 'nested too deeply', 15), 'SELECT 1')
      assert.deepEqual(
        [code, status, message],
        ['validation-failed', 400, 'the request is too deep or too large for the database'],
      )
    }
  })

  test('of a deadlock say that it may be tried again', () => {
    const { status, message } = writeError(said(1205, 'deadlock victim', 13), '')
    assert.equal(status, 500)
    assert.match(message, /may be tried again/)
  })
})
