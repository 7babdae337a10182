import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineWriter } from './log-line.ts'

test('as text a line has time, level, type and the values of its detail, whatever these hold', () => {
  const lines: string[] = []
  const write = lineWriter(
    {
      format: 'text',
      level: 'info',
      enabledTypes: new Set(['startup']),
      metadataQueries: false,
      queryOnlyOnError: false,
      maskedVariables: new Set(),
    },
    (line) => lines.push(line.slice('10:00:00.123 '.length)),
  )
  write('info', 'startup', { kind: 'server', info: { url: 'http://127.0.0.1:8080', nothing: null, ports: [1, 2] } })
  write('error', 'unstructured', 'a text\nof two lines')
  write('warn', 'metadata', { message: 'it says "no"', escape: '\u001b[31m' })
  write('debug', 'metadata', { message: 'not at this level' })
  assert.deepEqual(lines, [
    'info  startup  server: url=http://127.0.0.1:8080 ports=[1,2]\n',
    'error unstructured  "a text\\nof two lines"\n',
    'warn  metadata  message="it says \\"no\\"" escape="\\u001b[31m"\n',
  ])
})
