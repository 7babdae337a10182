import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraceJson, Traces, traceJson } from './index.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

function contextOf(headers: Readonly<Record<string, string>>) {
  const traces = new Traces()
  traces.begin('r', headers)
  const { traceId, parentId, sampled, state } = traces.contextOf('r') ?? assert.fail('none')
  return [traceId, parentId, sampled, state]
}

test('a trace is read from traceparent, b3 or X-B3-*', () => {
  const traceparent = `00-${traceId}-${spanId}-01`
  assert.deepEqual(contextOf({ traceparent, tracestate: 'a=1' }), [traceId, spanId, true, 'a=1'])
  assert.deepEqual(contextOf({ traceparent: traceparent.replace(/01$/, '00') }), [traceId, spanId, false, null])
  assert.deepEqual(contextOf({ b3: `${traceId}-${spanId}-0` }), [traceId, spanId, false, null])
  assert.deepEqual(contextOf({ b3: `${spanId}-${spanId}` }), [spanId.padStart(32, '0'), spanId, null, null])
  assert.deepEqual(contextOf({ 'x-b3-traceid': traceId.toUpperCase(), 'x-b3-spanid': spanId, 'x-b3-sampled': '1' }), [
    traceId,
    spanId,
    true,
    null,
  ])
})

test('what names no trace begins a new one', () => {
  const zeros = '0'.repeat(32)
  for (const headers of [
    {},
    { traceparent: 'x' },
    { traceparent: `ff-${traceId}-${spanId}-01` },
    { traceparent: `00-${zeros}-${spanId}-01` },
    { b3: '0' },
    { 'x-b3-traceid': traceId },
  ]) {
    const [found, parent] = contextOf(headers)
    assert.match(String(found), /^[0-9a-f]{32}$/)
    assert.notEqual(found, traceId)
    assert.equal(parent, null)
  }
})

test('requests of the engine carry the trace on, as B3 and, where it is wished, as W3C', () => {
  const traces = new Traces()
  traces.begin('r', { traceparent: `00-${traceId}-${spanId}-00`, tracestate: 'a=1' })
  const own = traces.contextOf('r')?.spanId
  const first = traces.outgoing('r')
  assert.deepEqual(Object.fromEntries(first.headers), {
    'X-B3-TraceId': traceId,
    'X-B3-SpanId': first.spanId,
    'X-B3-ParentSpanId': own,
    'X-B3-Sampled': '0',
  })
  traces.propagateBy(['tracecontext'])
  const second = traces.outgoing('r')
  const headers = Object.fromEntries(second.headers)
  assert.deepEqual([headers.traceparent, headers.tracestate], [`00-${traceId}-${second.spanId}-00`, 'a=1'])
  assert.equal(headers['X-B3-TraceId'], traceId)
  traces.end('r')
  assert.equal(traces.contextOf('r'), null)
  assert.notEqual(Object.fromEntries(traces.outgoing('r').headers)['X-B3-TraceId'], traceId)
})

test('a trace that was stored is carried on; a text that names none begins a new one', () => {
  const traces = new Traces()
  for (const flags of ['00', '01']) {
    traces.begin(flags, { traceparent: `00-${traceId}-${spanId}-${flags}` })
    const context = traces.contextOf(flags) ?? assert.fail('none')
    const json = traceJson(context)
    assert.deepEqual(JSON.parse(json), {
      trace_id: traceId,
      span_id: context.spanId,
      sampling_state: flags === '01' ? '1' : '0',
    })
    const { headers } = traces.outgoing(null, readTraceJson(json))
    const sent = Object.fromEntries(headers)
    assert.deepEqual([sent['X-B3-TraceId'], sent['X-B3-ParentSpanId']], [traceId, context.spanId])
    assert.equal(sent['X-B3-Sampled'], flags === '01' ? '1' : '0')
  }
  for (const text of ['null', '1', '{}', '{"trace_id":1}', `{"trace_id":"${traceId}","span_id":"x\\r\\ny"}`])
    assert.equal(readTraceJson(text), null, text)
})
