import { type JsonObject, keyedObject, objectName } from '@svc/schema'
import {
  addressOf,
  identityOf,
  importId,
  type ObjectData,
  type ResourceKind,
  type Values,
  valuesOf,
} from '../resources/index.ts'
import { errorOf, warningOf } from './diagnostic.ts'
import { findDeclared } from './document-objects.ts'
import type { EngineSession } from './engine-session.ts'
import { objectTitle } from './object-title.ts'
import { idsOfKind, otherIds } from './objects-of-kind.ts'
import type { Diagnostic, StateResult } from './provider.ts'
import { findRecord } from './record-values.ts'
import { redactFields } from './redact.ts'

/** Reads the object that the inputs name, also one of another client. Throws ClientError, InvalidValue. */
export async function readObjectData(
  session: EngineSession,
  { kind, outputs }: Pick<ObjectData, 'kind' | 'outputs'>,
  inputs: Values,
): Promise<StateResult> {
  const shown = (value: JsonObject): JsonObject =>
    inputs.show_secrets === true ? value : redactFields(kind.fields, value)
  const read = (value: JsonObject, place: JsonObject, id: string): Values => {
    const all: Values = { ...valuesOf(kind, shown(value), place, session.spelling), id }
    return { ...inputs, ...Object.fromEntries(Object.keys(outputs).map((name) => [name, all[name] ?? null])) }
  }
  if ('store' in kind) {
    const id = typeof inputs.id === 'string' ? inputs.id : ''
    const record = await findRecord(session.reader, kind, id)
    if (record) return { state: { ...read(record.value, {}, id), id }, diagnostics: [] }
    return {
      state: null,
      diagnostics: [errorOf(`the engine has no ${session.tool.typeName(kind.kind)} ${id}`, '', ['id'])],
    }
  }
  const identity = identityOf(kind, inputs)
  if (!identity) return { state: null, diagnostics: [errorOf(`the identity of the ${kind.kind} is not complete`)] }
  const { document } = await session.snapshot.read()
  const id = importId(identity)
  const live = findDeclared(document, kind, inputs, session.spelling)
  if (!live) {
    return { state: null, diagnostics: [notThere(session, kind, id, idsOfKind(document, kind))] }
  }
  const address = addressOf(kind, inputs, session.spelling)
  const name = kind.part ? null : objectName(keyedObject(document, address)).name
  const broken = (await session.inconsistent()).find((one) => one.name === name)
  const warnings = broken
    ? [warningOf(`${objectTitle(document, address, session.tool.typeName)} is inconsistent`, broken.reason)]
    : []
  return { state: read(live.value, {}, id), diagnostics: warnings }
}

function notThere(session: EngineSession, kind: ResourceKind, id: string, ids: readonly string[]): Diagnostic {
  const head = kind.identityPaths.at(-1)?.[0]
  const summary = `the engine has no ${session.tool.typeName(kind.kind)} ${id}`
  return errorOf(summary, otherIds(id, ids), head === undefined ? [] : [head])
}
