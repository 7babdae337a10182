/** A provider of one kind without an engine, for tests of the protocol alone. What it is asked it keeps. */
import type { Diagnostic, Provider } from '../core/index.ts'
import type { Attribute, Attributes, AttributeType, Values } from '../resources/index.ts'

const attribute = (type: AttributeType, more: Partial<Attribute> = {}): Attribute => ({
  type,
  description: 'An attribute.',
  presence: 'optional',
  replace: false,
  sensitive: false,
  writeOnly: false,
  ...more,
})

const text: AttributeType = { kind: 'string' }
const inner: Attributes = { a: attribute(text, { presence: 'required' }), b: attribute({ kind: 'boolean' }) }

export const thingAttributes: Attributes = {
  id: attribute(text, { presence: 'computed' }),
  name: attribute(text, { presence: 'required', replace: true }),
  level: attribute({ kind: 'integer' }, { default: 1 }),
  secret: attribute(text, { sensitive: true }),
  password: attribute(text, { sensitive: true, writeOnly: true }),
  filter: attribute({ kind: 'json' }),
  tags: attribute({ kind: 'set', of: text }),
  numbers: attribute({ kind: 'list', of: { kind: 'number' } }),
  inner: attribute({ kind: 'object', attributes: inner }),
  inners: attribute({ kind: 'list', of: { kind: 'object', attributes: inner } }),
  by_name: attribute({ kind: 'map', of: { kind: 'object', attributes: inner } }),
}

export interface ThingProvider extends Provider {
  readonly asked: readonly (readonly [string, unknown])[]
}

/** Answers every call with what it was given, and with `problems`. A text "throw" for a name makes it fail. */
export function thingProvider(problems: readonly Diagnostic[] = []): ThingProvider {
  const asked: (readonly [string, unknown])[] = []
  const ask = <T>(call: string, given: unknown, answer: T): T => {
    asked.push([call, given])
    if (JSON.stringify(given)?.includes('"throw"')) throw new Error('out of order')
    return answer
  }
  const state = (values: Values | null) => ({ state: values, diagnostics: problems })
  return {
    asked,
    declaration: {
      kinds: [
        {
          kind: 'Thing',
          name: 'thing',
          description: 'A thing.',
          version: 2,
          attributes: thingAttributes,
          importId: { format: '<name>', example: 'a' },
        },
      ],
      data: [{ name: 'things', description: 'All things.', attributes: { count: attribute({ kind: 'integer' }) } }],
      config: { endpoint: attribute(text) },
    },
    validateConfig: (config) => ask('validateConfig', config, problems),
    configure: (config) => ask('configure', config, problems),
    validate: (kind, config) => ask('validate', { kind, config }, problems),
    plan: async (request) =>
      ask('plan', request, {
        planned: request.proposed,
        replace: request.prior && request.proposed ? [['name'], ['inners', 0, 'a'], ['by_name', 'k', 'b']] : [],
        changed: [],
        diagnostics: problems,
      }),
    planWithoutEngine: (request) =>
      ask('planWithoutEngine', request, { planned: request.proposed, replace: [], changed: [], diagnostics: problems }),
    prepare: async () => undefined,
    apply: async (request) => ask('apply', request, state(request.planned)),
    read: async (kind, values) => ask('read', { kind, values }, state(values.name === 'gone' ? null : values)),
    importStub: (kind, id) =>
      ask('importStub', { kind, id }, id === 'bad' ? { state: null, diagnostics: problems } : state({ name: id })),
    upgrade: (kind, version, values) => ask('upgrade', { kind, version, values }, state(values as Values)),
    saw: (kind, id) => ask('saw', { kind, id }, undefined),
    validateData: (name, config) => ask('validateData', { name, config }, problems),
    readData: async (name, config) => ask('readData', { name, config }, state({ count: 3 })),
    checkUnchanged: () => [],
    stop: () => ask('stop', null, undefined),
  }
}
