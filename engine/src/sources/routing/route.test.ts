import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { parseTemplate, type TemplateValue } from '../../templates/index.ts'
import { resolve, routeOf } from './route.ts'

const parsed = (text: string) => {
  const result = parseTemplate(text)
  assert.ok(result.kind === 'template', JSON.stringify(result))
  return result.template
}

const request = (more: TemplateValue = {}) => ({ headers: {}, session: {}, query: {}, ...(more as object) })

/** What an operator sees of the failure of a template. */
function reasonOf(text: string, given = request(), members: readonly string[] = ['a']): string {
  try {
    resolve(parsed(text), given, members)
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    assert.deepEqual([error.code, error.status, String(error.path)], ['unexpected', 500, '$'])
    return (error.internal as { readonly message: string }).message
  }
  throw new Error('it gives a connection')
}

test('a template gives a connection by its name only', () => {
  assert.deepEqual(resolve(parsed('{{ $.connection_set["a"] }}'), request(), ['a']), {
    to: 'connection_set',
    member: 'a',
  })
  assert.deepEqual(resolve(parsed('{{ $.read_replicas }}'), request(), []), { to: 'read_replicas' })
  const odd = /has to give one of/
  for (const text of [
    '"$.primary"',
    '"{{ $.primary }}"',
    '1',
    'null',
    '[{{ $.primary }}]',
    '{"to": "primary"}',
    '{{ $ }}',
  ])
    assert.match(reasonOf(text), odd, text)
  assert.match(reasonOf('{{ $.connection_set }}'), odd)
})

test('what a request brings is never taken for a connection', () => {
  // as JSON of a websocket's connection_init may have it
  const headers = JSON.parse('{"to": "primary", "\\u0000kind": "primary", "member": "a"}')
  assert.match(reasonOf('{{ $.request.headers }}', request({ headers })), /has to give one of/)
})

test('names that are no members are missing, those of objects in general too', () => {
  for (const name of ['b', '__proto__', 'constructor', 'toString', '']) {
    const session = { 'x-svc-tenant': name }
    const text = '{{ $.connection_set[$.request.session["x-svc-tenant"]] }}'
    assert.equal(reasonOf(text, request({ session })), `'Object' has no attribute '${name}'.`)
    assert.deepEqual(resolve(parsed(text), request({ session }), [name]), { to: 'connection_set', member: name })
  }
  assert.match(reasonOf('{{ $.request.session["x-svc-none"] }}'), /no attribute/)
  const variables = new Map([['__proto__', 'x']])
  const asked = { session: { variables }, headers: [['__proto__', 'a']], type: 'query', name: null } as const
  const text = '{{ $.connection_set[$.request.headers["__proto__"]] }}'
  assert.deepEqual(routeOf(parsed(text), asked, ['a']), { to: 'connection_set', member: 'a' })
})

test('a template that goes on and on ends with an error', () => {
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`h${i}`, 'x'.repeat(1000)]))
  const list = `[${Array.from({ length: 200 }, (_, i) => i).join()}]`
  const nested = `{{ range _, a := ${list} }}{{ range _, b := ${list} }}{{ range _, c := ${list} }}1{{ end }}{{ end }}{{ end }}`
  assert.match(reasonOf(nested), /more than 20000 steps/)
  const large = `{{ range _, a := ${list} }}"{{ $.request.headers }}"{{ end }}`
  assert.match(reasonOf(large, request({ headers })), /more than 1000000 characters/)
})
