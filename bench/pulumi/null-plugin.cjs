#!/usr/bin/env node
// A Pulumi plugin that does nothing: what a provider costs that is plain Node over grpc-js. Properties go back as they came.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Server, ServerCredentials } = require('@grpc/grpc-js')

/** The top-level fields of a message by number: bytes, or a number. */
function fieldsOf(bytes) {
  const fields = {}
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    if (tag % 8 === 0) fields[tag >> 3] = varint()
    else if (tag % 8 === 1) at += 8
    else {
      const length = varint()
      fields[tag >> 3] = bytes.subarray(at, at + length)
      at += length
    }
  }
  return fields
}

const lengthOf = (length) => (length < 128 ? [length] : [(length % 128) | 128, ...lengthOf(Math.floor(length / 128))])
const part = (number, bytes = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([number * 8 + 2, ...lengthOf(bytes.length)]), bytes])
const flag = (number) => Buffer.from([number * 8, 1])

const methods = {
  Handshake: () => [flag(1), flag(2)],
  GetPluginInfo: () => [part(1, Buffer.from('0.1.0'))],
  GetSchema: () => [part(1, readFileSync(join(__dirname, '../../sdk/schema.json')))],
  CheckConfig: (request) => [part(1, request[3])],
  DiffConfig: () => [Buffer.from([4 * 8, 1])],
  Configure: () => [flag(1), flag(2), flag(3)],
  Check: (request) => [part(1, request[3])],
  Diff: () => [Buffer.from([4 * 8, 1])],
  Create: (request) => [part(1, Buffer.from('id')), part(2, request[2])],
  Read: (request) => [part(1, request[1]), part(2, request[3]), part(3, request[4])],
  Update: (request) => [part(1, request[4])],
  Delete: () => [],
  Cancel: () => [],
}

const server = new Server()
for (const [name, answer] of Object.entries(methods))
  server.addService(
    {
      [name]: {
        path: `/pulumirpc.ResourceProvider/${name}`,
        requestStream: false,
        responseStream: false,
        requestDeserialize: fieldsOf,
        responseSerialize: (parts) => Buffer.concat(parts),
      },
    },
    { [name]: (call, done) => done(null, answer(call.request)) },
  )
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, port) => console.log(port))
