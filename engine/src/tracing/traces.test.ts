import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { currentTrace, isRecorded, readTraceJson, recordSpans, Traces, traceJson, withTrace } from './index.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

async function contextOf(headers: Readonly<Record<string, string>>) {
  const { traceId, parentId, sampled, state } = await withTrace(
    headers,
    async () => currentTrace() ?? assert.fail('none'),
  )
  return [traceId, parentId, sampled, state]
}

test('a trace is read from traceparent, b3 or X-B3-*', async () => {
  const traceparent = `00-${traceId}-${spanId}-01`
  assert.deepEqual(await contextOf({ traceparent, tracestate: 'a=1' }), [traceId, spanId, true, 'a=1'])
  assert.deepEqual(await contextOf({ traceparent: traceparent.replace(/01$/, '00') }), [traceId, spanId, false, null])
  assert.deepEqual(await contextOf({ b3: `${traceId}-${spanId}-0` }), [traceId, spanId, false, null])
  assert.deepEqual(await contextOf({ b3: `${spanId}-${spanId}` }), [spanId.padStart(32, '0'), spanId, null, null])
  assert.deepEqual(
    await contextOf({ 'x-b3-traceid': traceId.toUpperCase(), 'x-b3-spanid': spanId, 'x-b3-sampled': '1' }),
    [traceId, spanId, true, null],
  )
})

test('what names no trace begins a new one', async () => {
  const zeros = '0'.repeat(32)
  for (const headers of [
    {},
    { traceparent: 'x' },
    { traceparent: `ff-${traceId}-${spanId}-01` },
    { traceparent: `00-${zeros}-${spanId}-01` },
    { b3: '0' },
    { 'x-b3-traceid': traceId },
  ]) {
    const [found, parent] = await contextOf(headers)
    assert.match(String(found), /^[0-9a-f]{32}$/)
    assert.notEqual(found, traceId)
    assert.equal(parent, null)
  }
})

test('requests of the engine carry the trace on, as B3 and, where it is wished, as W3C', async () => {
  const traces = new Traces()
  const request = { traceparent: `00-${traceId}-${spanId}-00`, tracestate: 'a=1' }
  await withTrace(request, async () => {
    const own = currentTrace()?.spanId
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
  })
  assert.equal(currentTrace(), null)
  assert.notEqual(Object.fromEntries(traces.outgoing('r').headers)['X-B3-TraceId'], traceId)
})

test('a trace that was stored is carried on; a text that names none begins a new one', async () => {
  const traces = new Traces()
  for (const flags of ['00', '01']) {
    const request = { traceparent: `00-${traceId}-${spanId}-${flags}` }
    const context = await withTrace(request, async () => currentTrace() ?? assert.fail('none'))
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

test('two requests at once have a trace each, and what outlives its request is in none', async () => {
  let later: () => ReturnType<typeof currentTrace> = () => null
  const idOf = () =>
    withTrace({}, async () => {
      const before = currentTrace()?.traceId
      await new Promise((resolve) => setImmediate(resolve))
      later = AsyncLocalStorage.bind(currentTrace)
      assert.equal(later()?.traceId, before)
      return before
    })
  const [first, second] = await Promise.all([idOf(), idOf()])
  assert.notEqual(first, second)
  assert.equal(later(), null)
})

test('spans are recorded of requests only, and only while they are exported', async () => {
  const inRequest = () => withTrace({}, async () => isRecorded())
  assert.deepEqual([isRecorded(), await inRequest()], [false, false])
  const stops = [recordSpans(), recordSpans()]
  for (const stop of stops) {
    assert.deepEqual([isRecorded(), await inRequest()], [false, true])
    stop()
  }
  assert.equal(await inRequest(), false)
})
