import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestTransform, responseTransform } from '@svc/schema'
import { finish } from '../long-work.ts'
import type { TemplateValue } from '../templates/index.ts'
import {
  applyRequestTransform,
  applyResponseTransform,
  compileRequestTransform,
  compileResponseTransform,
  type RequestBody,
  requestContext,
} from './index.ts'

const session = new Map([['x-svc-role', 'user']])
const base = 'http://hooks.test/a?old=1&flag'
const headers = [
  ['Content-Type', 'application/json'],
  ['X-Old', 'old'],
] as const

function run(declared: unknown, body: TemplateValue = { hello: 'world', list: ['a', 'b'] }, url = base) {
  const compiled = compileRequestTransform(requestTransform.parse(declared))
  if (compiled.kind === 'errors') return compiled.errors
  const outcome = finish(
    applyRequestTransform(compiled.transform, { method: 'POST', headers }, requestContext(body, session, url)),
  )
  return outcome.kind === 'errors' ? outcome.errors : outcome.value
}

const textOf = (body: RequestBody) => (body.kind === 'none' ? null : body.text)

function part<K extends 'method' | 'url' | 'headers' | 'body'>(declared: unknown, key: K, url?: string) {
  const result = run(declared, undefined, url)
  assert.ok('body' in result, JSON.stringify(result))
  return result[key]
}

test('a transform that says nothing leaves the request as it was', () => {
  const result = run({})
  assert.deepEqual(result, {
    method: 'POST',
    url: base,
    headers,
    body: { kind: 'json', value: { hello: 'world', list: ['a', 'b'] }, text: '{"hello":"world","list":["a","b"]}' },
  })
})

test('bodies: templates, forms, none; version 1 is a template', () => {
  const text = (body: unknown, version = 2) => textOf(part({ version, body }, 'body'))
  assert.equal(
    text('{"x": {{$body.hello}}, "u": {{$session_variables}}}', 1),
    '{"x":"world","u":{"x-svc-role":"user"}}',
  )
  assert.equal(
    text({ action: 'transform', template: '[$base_url, $query_params]' }),
    JSON.stringify([
      base,
      [
        ['old', '1'],
        ['flag', null],
      ],
    ]),
  )
  assert.equal(text({ action: 'remove' }), null)
  assert.equal(
    text({
      action: 'x_www_form_urlencoded',
      form_template: { 'a b': '{{$body.hello}}&', gone: '{{$body?.nothing}}', z: 'å' },
    }),
    'a%20b=world%26&z=%C3%A5',
  )
  assert.equal(text('{{ getSessionVariable("X-Svc-Role") }}', 1), '"user"')
})

test('the query: its own parameter wins over the one in the URL, that over the original one', () => {
  const url = (declared: object) => part({ version: 2, ...declared }, 'url')
  assert.equal(url({ url: 'http://b.test' }), 'http://b.test?old=1&flag')
  assert.equal(url({ url: 'http://b.test/{{$body.hello}}?new=2' }), 'http://b.test/world?new=2')
  assert.equal(
    url({ url: 'http://b.test?new=2', query_params: { x: 'a,b', '{{$body.hello}}': '{{$body?.no}}', bare: null } }),
    'http://b.test?bare&x=a%2Cb',
  )
  assert.equal(url({ query_params: {} }), 'http://hooks.test/a')
  assert.equal(
    url({ query_params: '{{ concat([concat({{range _, x := $body.list}} "t={{x}}&" {{end}}), "f=a,b"]) }}' }),
    'http://hooks.test/a?t=a&t=b&f=a%2Cb',
  )
  assert.equal(part({ query_params: { a: '1' } }, 'url', 'http://bare.test'), 'http://bare.test/?a=1')
})

test('method and headers: added ones replace those of their name', () => {
  assert.equal(part({ method: 'patch' }, 'method'), 'patch')
  assert.deepEqual(
    part(
      {
        request_headers: { remove_headers: ['x-OLD'], add_headers: { 'content-type': 'text/{{$body.hello}}', n: '1' } },
      },
      'headers',
    ),
    [
      ['content-type', 'text/world'],
      ['n', '1'],
    ],
  )
})

test('the errors of all parts come together', () => {
  const result = run({
    version: 2,
    url: '{{$body.no}}',
    body: { action: 'transform', template: '$nothing' },
    query_params: { a: '{{ getSessionVariable("x-svc-missing") }}' },
    request_headers: { add_headers: { a: '{{ 1 .x }}' } },
  })
  assert.deepEqual(
    (result as readonly { readonly error_code: string }[]).map(({ error_code }) => error_code),
    ['Name Error', 'Attribute Error', 'Function Error', 'Type Error'],
  )
  assert.deepEqual(run({ url: 'nowhere' }), [
    { error_code: 'TransformationError', message: 'Invalid URL: nowhere', value: 'nowhere' },
  ])
  assert.equal((run({ url: '{{', method: 'a', body: '{{' }) as readonly unknown[]).length, 2)
})

test('responses: the new body, with the request and the status in sight', () => {
  const respond = (declared: unknown, request = requestContext({ a: 1 }, session, base)) => {
    const compiled = compileResponseTransform(responseTransform.parse(declared))
    assert.ok(compiled.kind === 'transform')
    return finish(applyResponseTransform(compiled.transform, { status: 201, body: { id: 7 } }, session, request))
  }
  const value = (outcome: ReturnType<typeof respond>) =>
    outcome.kind === 'value' && outcome.value && textOf(outcome.value)
  assert.equal(
    value(respond({ body: '{"id": $body.id, "status": $response.status, "a": $request.body.body.a}' })),
    '{"id":7,"status":201,"a":1}',
  )
  assert.equal(value(respond({ version: 2, body: { action: 'remove' } })), null)
  assert.deepEqual(respond({}), { kind: 'value', value: null })
  assert.equal(respond({ body: '$body.no' }).kind, 'errors')
})
