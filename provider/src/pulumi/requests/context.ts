import type { Environment } from '../../client/index.ts'
import type { DataDeclaration, Diagnostic, Made, Provider } from '../../core/index.ts'
import type { AnswerTo, Rpc } from '../../protobuf/index.ts'
import type { Attributes, Values } from '../../resources/index.ts'
import { Failure } from '../failure.ts'
import { spelled } from '../spelled.ts'
import { storedVersion, withMade, withStateVersion } from '../state-version.ts'
import type { ProviderTypes, ResourceType } from '../types.ts'
import { bothMarks, hideMarked, type Marks, sensitiveMarks } from '../values/marks.ts'
import { readFormerNames, readNames, writeNames } from '../values/named-values.ts'
import { noProperties, type Properties } from '../values/struct.ts'

export type { Environment }

/** Reports the user something next to the answer, at a resource. Never rejects. */
export type Report = (text: string, urn: string) => Promise<void>

/** What every request is answered with. */
export interface Context {
  readonly provider: Provider
  readonly types: ProviderTypes
  readonly environment: Environment
  readonly report: Report
  readonly run: Run
}

export type Answer<R extends Rpc> = AnswerTo<R, Context>

/** What calls of one run leave for later ones. */
export interface Run {
  refreshBeforeUpdate: boolean
  /** What resources name this instance of the provider by; null where Pulumi does not say. */
  self: string | null
  /** The project and the stack, as far as URNs of the provider have said them. */
  names: Readonly<Record<string, string>>
  /** By urn: what is there of resources whose last difference was a replacement. */
  readonly replaced: Map<string, Values>
  /** The urns of resources that the program has: a refresh compares removed ones too. */
  readonly checked: Set<string>
  /** By urn: ids of resources that the program has and that were compared with it. */
  readonly compared: Map<string, string>
  /** By urn: properties that the check of a resource has removed, since they are only written. */
  readonly writeOnly: Map<string, Values>
}

export const newRun = (): Run => ({
  refreshBeforeUpdate: false,
  self: null,
  names: {},
  replaced: new Map(),
  checked: new Set(),
  compared: new Map(),
  writeOnly: new Map(),
})

/** `urn:pulumi:stack::project::pulumi:providers:svc::name`; none where Pulumi does not say it. */
export function noteNames(run: Run, urn: string): void {
  const [stack = '', project] = urn.split('::')
  if (project !== undefined) run.names = { project, stack: stack.replace(/^urn:pulumi:/, '') }
}

/** Throws Failure for a type that the schema does not have. */
export function resourceType({ types }: Context, urn: string): ResourceType {
  const token = tokenOf(urn)
  const type = types.resources.get(token)
  if (!type) throw new Failure(`this provider has no resource type ${token}`)
  return type
}

/** `urn:pulumi:stack::project::parent$svc:index:Table::name` -> `svc:index:Table` */
const tokenOf = (urn: string): string => urn.split('::')[2]?.split('$').at(-1) ?? urn

export function functionType({ types }: Context, token: string): DataDeclaration {
  const type = types.functions.get(token)
  if (!type) throw new Failure(`this provider has no function ${token}`)
  return type
}

/** A program's properties of a resource, with what its check has removed. */
export const withWriteOnly = ({ writeOnly }: Run, urn: string, { values, secrets }: Properties): Properties => ({
  values: { ...values, ...writeOnly.get(urn) },
  secrets,
})

/** A resource's properties as the core reads them, with the id where it has one. */
export const receivedValues = (
  { attributes, nothing }: ResourceType,
  { values }: Properties = noProperties,
  id: string | null = null,
): Values => ({ ...nothing, ...readNames(attributes, values).values, id })

/**
 * A resource as the state has it, in today's shape: states say which version of the kind they are of, unless it is 0.
 * Throws Failure for one that a newer plugin wrote.
 */
export function storedValues(
  { provider }: Context,
  type: ResourceType,
  properties: Properties = noProperties,
  id: string | null = null,
): Values {
  const version = storedVersion(properties.values)
  if (version === type.version) return receivedValues(type, properties, id)
  const stored = readFormerNames(type.attributes, properties.values)
  const { state, diagnostics } = provider.upgrade(type.kind, version, stored)
  if (!state) throw new Failure(diagnostics.map((one) => textOf(type.attributes, one)).join('\n'))
  const known = Object.keys(type.attributes).map((name) => [name, state[name] ?? null] as const)
  return { ...type.nothing, ...Object.fromEntries(known), id }
}

/**
 * What the state is to have: properties, the version of their kind, and which version of the metadata made the object.
 */
export const withVersion = (
  { version }: ResourceType,
  { values, secrets }: Properties,
  made: Made | undefined,
): Properties => ({
  values: withMade(withStateVersion(values, version), made),
  secrets,
})

/** Values as Pulumi's properties: what is declared sensitive is secret, and what was secret remains so. */
export function sentProperties(attributes: Attributes, values: Values, secrets: Marks | null = null): Properties {
  const properties = writeNames(attributes, values)
  return { values: properties, secrets: bothMarks(secrets, sensitiveMarks(attributes, properties)) }
}

/** Hides everything secret of some properties in a text. */
export function hider(attributes: Attributes, ...given: readonly (Properties | undefined)[]): (text: string) => string {
  const hides = given.map(({ values, secrets } = noProperties) =>
    hideMarked(values, bothMarks(secrets, sensitiveMarks(attributes, values))),
  )
  return (text) => hides.reduce((hidden, hide) => hide(hidden), text)
}

/** Reports warnings. Throws Failure where there are errors. */
export async function reportDiagnostics(
  { report }: Context,
  attributes: Attributes,
  urn: string,
  diagnostics: readonly Diagnostic[],
  hide: (text: string) => string,
): Promise<void> {
  const texts = (severity: Diagnostic['severity']) =>
    diagnostics.filter((one) => one.severity === severity).map((one) => hide(textOf(attributes, one)))
  for (const warning of texts('warning')) await report(warning, urn)
  const errors = texts('error')
  if (errors.length > 0) throw new Failure(errors.join('\n'))
}

/** A diagnostic as one text, the path of the property at fault in front. */
export function textOf(attributes: Attributes, { summary, detail, path, problem }: Diagnostic): string {
  const [head] = path
  const isReported = typeof head !== 'string' || summary.startsWith(head)
  const lines = [isReported ? summary : `${head}: ${summary}`, detail, problem === 'unauthorised' ? staleSecret : '']
  return spelled(attributes, lines.filter(Boolean).join('\n'))
}

const staleSecret =
  'One that came from the configuration is kept in the state: where it has changed since, add --run-program to a refresh or a destroy.'

/** Pulumi's `customTimeouts`, in seconds; 0: there is none. */
export const timeLimit = (seconds: number): { readonly timeoutMilliseconds?: number } =>
  seconds > 0 ? { timeoutMilliseconds: seconds * 1000 } : {}
