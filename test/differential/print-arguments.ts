import type { Argument } from './print-input.ts'
import type { Given, JsonPath } from './query.ts'

export const nativeArguments = (name: string, given: Given): readonly Argument[] => {
  const members = Object.entries(given).map(
    ([key, value]) => [key, { kind: 'scalar', type: 'Int', required: key === 'low', value }] as const,
  )
  return [['args', { kind: 'object', type: `${name}_arguments`, required: true, members }, `${name}_arguments!`]]
}

export const pathArgument = (path: JsonPath | undefined): readonly Argument[] =>
  path === undefined
    ? []
    : [['path', { kind: 'scalar', type: 'String', value: `$${path.map(pathStep).join('')}` }, 'String']]

const pathStep = (step: string | number): string =>
  typeof step === 'number' ? `[${step}]` : step.length > 1 ? `['${step}']` : step === 's' ? `["${step}"]` : `.${step}`

export const base64 = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64')

export const plain = (tree: unknown): unknown =>
  tree instanceof Map ? Object.fromEntries([...tree].map(([key, value]) => [key, plain(value)])) : tree
