/** Our tables of fields compared with the messages that Pulumi ships: same names at same numbers, of the same type. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import engineMessages from '@pulumi/pulumi/proto/engine_pb.js'
import pluginMessages from '@pulumi/pulumi/proto/plugin_pb.js'
import providerMessages from '@pulumi/pulumi/proto/provider_pb.js'
import statusMessages from '@pulumi/pulumi/proto/status_pb.js'
import * as earlyTables from '../../../provider/src/pulumi/protocol/early-messages.ts'
import * as engineTables from '../../../provider/src/pulumi/protocol/engine-messages.ts'
import * as tables from '../../../provider/src/pulumi/protocol/provider-messages.ts'
import { Struct } from './struct.ts'

const properties = (text: string) => Struct.fromJavaScript({ text })
const sent = (text: string) => ({ values: { text }, secrets: null })

const requests = [
  [
    'ProviderHandshakeRequest',
    earlyTables.handshake.request,
    { setEngineAddress: 'a', setAcceptsByteString: true, setRootDirectory: 'r' },
    { engineAddress: 'a' },
  ],
  [
    'CheckRequest',
    tables.check.request,
    { setUrn: 'u', setOlds: properties('o'), setNews: properties('n'), setName: 'x', setType: 'y' },
    { urn: 'u', olds: sent('o'), news: sent('n') },
  ],
  [
    'DiffRequest',
    tables.diff.request,
    { setId: 'i', setUrn: 'u', setOlds: properties('o'), setNews: properties('n'), setOldInputs: properties('p') },
    { id: 'i', urn: 'u', olds: sent('o'), news: sent('n') },
  ],
  [
    'ConfigureRequest',
    tables.configure.request,
    { setArgs: properties('a'), setAcceptsecrets: true, setSendsOldInputs: true, setUrn: 'u' },
    { args: sent('a'), id: '', urn: 'u' },
  ],
  [
    'CreateRequest',
    tables.create.request,
    { setUrn: 'u', setProperties: properties('p'), setTimeout: 1.5, setPreview: true, setResourceStatusToken: 't' },
    { urn: 'u', properties: sent('p'), timeout: 1.5, preview: true },
  ],
  [
    'ReadRequest',
    tables.read.request,
    { setId: 'i', setUrn: 'u', setProperties: properties('p'), setInputs: properties('q'), setTimeout: 2 },
    { id: 'i', urn: 'u', properties: sent('p'), inputs: sent('q'), timeout: 2 },
  ],
  [
    'UpdateRequest',
    tables.update.request,
    { setId: 'i', setUrn: 'u', setOlds: properties('o'), setNews: properties('n'), setTimeout: 3, setPreview: true },
    { id: 'i', urn: 'u', olds: sent('o'), news: sent('n'), timeout: 3, preview: true },
  ],
  [
    'DeleteRequest',
    tables.remove.request,
    { setId: 'i', setUrn: 'u', setProperties: properties('p'), setTimeout: 4, setOldInputs: properties('q') },
    { id: 'i', urn: 'u', properties: sent('p'), timeout: 4 },
  ],
  [
    'InvokeRequest',
    tables.invoke.request,
    { setTok: 't', setArgs: properties('a'), setPreview: true },
    { token: 't', args: sent('a') },
  ],
] as const

for (const [name, table, values, expected] of requests)
  test(`a ${name} is read as it is written by Pulumi`, () => {
    // biome-ignore lint/suspicious/noExplicitAny: a message of every type
    const message = new (providerMessages as any)[name]()
    for (const [setter, value] of Object.entries(values)) message[setter](value)
    assert.deepEqual(table.decode(Buffer.from(message.serializeBinary())), expected)
  })

const failure = { property: 'p', reason: 'r' }
const responses = [
  [
    providerMessages.ProviderHandshakeResponse,
    earlyTables.handshake.response.encode({ acceptSecrets: true, acceptResources: true, acceptOutputs: true }),
    { acceptSecrets: true, acceptResources: true, acceptOutputs: true },
  ],
  [providerMessages.GetSchemaResponse, tables.getSchema.response.encode({ schema: 's' }), { schema: 's' }],
  [pluginMessages.PluginInfo, earlyTables.getPluginInfo.response.encode({ version: 'v' }), { version: 'v' }],
  [
    providerMessages.CheckResponse,
    tables.check.response.encode({ inputs: sent('i'), failures: [failure] }),
    { inputs: { text: 'i' }, failuresList: [failure] },
  ],
  [
    providerMessages.DiffResponse,
    tables.diff.response.encode({
      replaces: ['a', 'b'],
      deleteBeforeReplace: true,
      changes: 'some',
      diffs: ['c'],
      detailedDiff: new Map([['d', { kind: 'update-replace', inputDiff: true }]]),
      hasDetailedDiff: true,
    }),
    {
      replacesList: ['a', 'b'],
      deletebeforereplace: true,
      changes: 2,
      diffsList: ['c'],
      detaileddiffMap: [['d', { kind: 5, inputdiff: true }]],
      hasdetaileddiff: true,
    },
  ],
  [
    providerMessages.ConfigureResponse,
    tables.configure.response.encode({
      acceptSecrets: true,
      supportsPreview: true,
      acceptResources: true,
      acceptOutputs: true,
    }),
    { acceptsecrets: true, supportspreview: true, acceptresources: true, acceptoutputs: true },
  ],
  [
    providerMessages.CreateResponse,
    tables.create.response.encode({ id: 'i', properties: sent('p'), refreshBeforeUpdate: true }),
    { id: 'i', properties: { text: 'p' }, refreshBeforeUpdate: true },
  ],
  [
    providerMessages.ReadResponse,
    tables.read.response.encode({ id: 'i', properties: sent('p'), inputs: sent('q'), refreshBeforeUpdate: true }),
    { id: 'i', properties: { text: 'p' }, inputs: { text: 'q' }, refreshBeforeUpdate: true },
  ],
  [
    providerMessages.UpdateResponse,
    tables.update.response.encode({ properties: sent('p'), refreshBeforeUpdate: true }),
    { properties: { text: 'p' }, refreshBeforeUpdate: true },
  ],
  [
    providerMessages.InvokeResponse,
    tables.invoke.response.encode({ return: sent('r'), failures: [failure] }),
    { pb_return: { text: 'r' }, failuresList: [failure] },
  ],
  [
    providerMessages.ConfigureErrorMissingKeys,
    engineTables.configureErrorMissingKeys.encode({ missingKeys: [{ name: 'n', description: 'd' }] }),
    { missingkeysList: [{ name: 'n', description: 'd' }] },
  ],
  [
    engineMessages.LogRequest,
    engineTables.logRequest.encode({ severity: 'warning', message: 'm', urn: 'u' }),
    { severity: 2, message: 'm', urn: 'u' },
  ],
  [
    statusMessages.Status,
    engineTables.rpcStatus.encode({ code: 2, message: 'm', details: [] }),
    { code: 2, message: 'm' },
  ],
] as const

for (const [type, bytes, expected] of responses)
  test(`what Pulumi reads as ${nameOf(type)} is what was meant`, () => {
    const message = type.deserializeBinary(bytes)
    const reported = message.toObject() as Record<string, unknown>
    for (const [name, value] of Object.entries(expected)) {
      const getter = `get${name === 'pb_return' ? 'Return' : name.charAt(0).toUpperCase()}${name === 'pb_return' ? '' : name.slice(1)}`
      // biome-ignore lint/suspicious/noExplicitAny: a message of every type
      const own = (message as any)[getter]?.()
      assert.deepEqual(own instanceof Struct ? own.toJavaScript() : reported[name], value, name)
    }
  })

function nameOf(type: (typeof responses)[number][0]): string {
  const all = { ...providerMessages, ...pluginMessages, ...engineMessages, ...statusMessages }
  return Object.entries(all).find(([, one]) => one === type)?.[0] ?? '?'
}
