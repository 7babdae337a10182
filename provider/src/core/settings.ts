import type { Environment } from '../client/index.ts'
import { actorOf, type Connection, type TokenSource, tokenSourceOf } from '../client/index.ts'
import { type Attribute, type Attributes, previewChecks, unknown, type Value, type Values } from '../resources/index.ts'
import { errorAt } from './diagnostic.ts'
import { fillDefaults } from './fill-defaults.ts'
import type { Diagnostic, Tool } from './provider.ts'
import type { ProviderDefaults } from './provider-defaults.ts'

export interface Settings {
  readonly connection: Connection
  readonly previewChecks: PreviewChecks
  readonly adoptExisting: boolean
  /** Whether plans read from the servers of remote schemas what they serve now. */
  readonly introspectRemoteSchemas: boolean
  /** The catalogue that the engine must have. */
  readonly catalogId?: string | undefined
  /** What the engine is to call this run's plan. */
  readonly planId?: string | undefined
  /** The hash of the draft that an apply must match. */
  readonly draft?: string | undefined
}

/** What becomes of what the engine would refuse, of what the plan has not made when it ends, and of a plan not checked. */
export type PreviewChecks = (typeof previewChecks)[number]

export type ReadSettings =
  | { readonly kind: 'settings'; readonly settings: Settings }
  /** Some of it comes from what is not there yet. */
  | { readonly kind: 'unknown'; readonly names: readonly string[] }
  | { readonly kind: 'missing'; readonly name: string }
  /** A variable of the environment has a value that the setting cannot have. */
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] }

/** Returns the configuration, filled in from the environment, then from defaults. */
export function readSettings(
  attributes: Attributes,
  given: Values,
  environment: Environment,
  tool: Pick<Tool, 'name' | 'version' | 'names'>,
): ReadSettings {
  const names = Object.keys(given).filter((name) => given[name] === unknown)
  if (names.length > 0) return { kind: 'unknown', names }
  const found = Object.entries(attributes).map(
    ([name, attribute]) =>
      [name, (given[name] ?? null) === null ? fromEnvironment(environment, name, attribute) : null] as const,
  )
  const diagnostics = found.flatMap(([name, one]) =>
    one?.kind === 'wrong' ? [errorAt(attributes, [name], `${variableOf(name)} ${one.message}`)] : [],
  )
  if (diagnostics.length > 0) return { kind: 'invalid', diagnostics }
  const known = found.flatMap(([name, one]) => (one?.kind === 'value' ? [[name, one.value] as const] : []))
  const config = fillDefaults(attributes, { ...given, ...Object.fromEntries<Value>(known) })
  const token = tokenIn(given, config, environment)
  if (token?.kind === 'none')
    return { kind: 'invalid', diagnostics: [errorAt(attributes, ['oidc_audience'], token.reason)] }
  const owner = ownerIn(text(config.owner), tool.names?.())
  if (owner.kind === 'wrong') return { kind: 'invalid', diagnostics: [errorAt(attributes, ['owner'], owner.message)] }
  return settingsOf({ ...config, owner: owner.value }, token, environment, tool)
}

/** `pulumi {project}/{stack}` of a run that is of a project and a stack. */
function ownerIn(given: string | undefined, names: Readonly<Record<string, string>> | undefined): Found {
  if (given === undefined || !names) return { kind: 'value', value: given ?? null }
  const parts = given.split(/\{(\w+)\}/)
  const wrong = parts.find((part, i) => i % 2 === 1 && !Object.hasOwn(names, part))
  if (wrong !== undefined) return { kind: 'wrong', message: `knows no {${wrong}} of this run` }
  return { kind: 'value', value: parts.map((part, i) => (i % 2 === 1 ? names[part] : part)).join('') }
}

/** What the configuration itself says counts before the environment. */
const tokenIn = (
  given: Values,
  { token, oidc_token_file: file, oidc_audience: audience }: Values,
  environment: Environment,
) =>
  saysOnlySecret(given)
    ? undefined
    : tokenSourceOf({ token: text(token), oidcTokenFile: text(file), oidcAudience: text(audience) }, environment)

const saysOnlySecret = (given: Values): boolean =>
  text(given.admin_secret) !== undefined &&
  ['token', 'oidc_token_file', 'oidc_audience'].every((name) => text(given[name]) === undefined)

function settingsOf(
  config: Values,
  token: TokenSource | undefined,
  environment: Environment,
  tool: Pick<Tool, 'name' | 'version' | 'names'>,
): ReadSettings {
  const endpoint = text(config.endpoint)
  if (endpoint === undefined) return { kind: 'missing', name: 'endpoint' }
  return {
    kind: 'settings',
    settings: {
      connection: {
        endpoint,
        actor: `${tool.name}, ${actorOf(environment)}`.slice(0, 200),
        userAgent: `svc-${tool.name}/${tool.version}`,
        insecure: config.insecure_skip_tls_verify === true,
        timeoutMilliseconds: Number(config.request_timeout) * 1000,
        adminSecret: text(config.admin_secret),
        token,
        owner: text(config.owner),
        certificateAuthority: text(config.certificate_authority),
      },
      previewChecks: previewChecks.find((checks) => checks === config.preview_checks) ?? 'error',
      adoptExisting: config.adopt_existing === true,
      introspectRemoteSchemas: config.introspect_remote_schemas === true,
      catalogId: text(config.catalog_id),
      planId: text(config.plan_id),
      draft: text(config.draft),
    },
  }
}

/** The settings that stand in for what resources do not say, known or not. */
export function readDefaults(attributes: Attributes, given: Values, environment: Environment): ProviderDefaults {
  const setting = (name: keyof ProviderDefaults): Value => {
    const attribute = attributes[name]
    const found = attribute && fromEnvironment(environment, name, attribute)
    return given[name] ?? (found?.kind === 'value' ? found.value : null)
  }
  return { default_source: setting('default_source'), default_role: setting('default_role') }
}

/** `request_timeout` -> `SVC_GRAPHQL_REQUEST_TIMEOUT` */
export const variableOf = (name: string): string => `SVC_GRAPHQL_${name.toUpperCase()}`

type Found = { readonly kind: 'value'; readonly value: Value } | { readonly kind: 'wrong'; readonly message: string }

/** Null where there is none, or an empty one. */
function fromEnvironment(environment: Environment, name: string, { type }: Attribute): Found | null {
  const said = environment[variableOf(name)] ?? ''
  if (said === '') return null
  switch (type.kind) {
    case 'string':
      if (!type.choices || type.choices.includes(said)) return { kind: 'value', value: said }
      return { kind: 'wrong', message: `must be one of ${type.choices.join(', ')}` }
    case 'boolean':
      if (/^(1|true|yes|0|false|no)$/i.test(said)) return { kind: 'value', value: /^(1|true|yes)$/i.test(said) }
      return { kind: 'wrong', message: 'must be true or false' }
    case 'integer':
    case 'number':
      if (Number(said) > 0) return { kind: 'value', value: Number(said) }
      return { kind: 'wrong', message: 'must be a number above 0' }
    case 'json':
    case 'list':
    case 'set':
    case 'map':
    case 'object':
      return { kind: 'wrong', message: 'cannot be given so' }
  }
}

const text = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
