import type { Environment } from '../client/index.ts'
import { ClientError, type QueueTimes } from '../client/index.ts'
import {
  attributesOf,
  dataSources,
  InvalidValue,
  isValues,
  kindNamed,
  objectData,
  type Path,
  parseImportId,
  providerConfig,
  type RecordKind,
  type ResourceKind,
  recordNamed,
  type Value,
  type Values,
} from '../resources/index.ts'
import { applyRecord } from './apply-record.ts'
import { applyResource } from './apply-resource.ts'
import { pathText } from './attribute-path.ts'
import { checkRecord } from './check-record.ts'
import { checkShape } from './check-shape.ts'
import { dataReads } from './data-reads.ts'
import { providerDeclaration } from './declarations.ts'
import { errorOf, warningOf } from './diagnostic.ts'
import { type EngineSession, openSession } from './engine-session.ts'
import { explainClientError } from './explain-client-error.ts'
import { fillDefaults, identityInputs } from './fill-defaults.ts'
import { hideSecrets } from './hide-secrets.ts'
import { ownedElsewhere } from './owned-elsewhere.ts'
import { Owners } from './owners.ts'
import { checkPlan, planWithoutEngine } from './plan-resource.ts'
import { withId } from './plan-values.ts'
import { PlannedIdentities } from './planned-identities.ts'
import type { ApplyRequest, Diagnostic, PlanRequest, PlanResult, StateResult, Tool } from './provider.ts'
import { defaultsToCome, missingDefaults, withProviderDefaults } from './provider-defaults.ts'
import { readObjectData } from './read-object-data.ts'
import { readPreview } from './read-preview.ts'
import { readRecord } from './read-record.ts'
import { readResource } from './read-resource.ts'
import { isStub } from './reconcile.ts'
import { isKnownVariable } from './session-variables.ts'
import { readDefaults, readSettings, variableOf } from './settings.ts'
import { shownPasswords } from './shown-passwords.ts'
import { foreignToSource, isUndecided, respelledStub, SourceKinds } from './source-kinds.ts'
import { unknownKinds } from './unknown-kinds.ts'
import { UnownedObjects } from './unowned-objects.ts'
import { upgradeState } from './upgrade-state.ts'
import { foreignVariableIn, validateInputs } from './validate-inputs.ts'
import { wantedObject } from './wanted-object.ts'

/** Between configurations: no engine yet, one that comes from what is not there yet, or a run with one. */
type Stage =
  | { readonly kind: 'open' }
  | { readonly kind: 'unknown'; readonly names: readonly string[] }
  | { readonly kind: 'session'; readonly session: EngineSession }

/**
 * What a tool's adapter talks to: values in, values and diagnostics out. It knows no protocol. Every call answers; none
 * rejects for what users, engines or other writers do (that is a diagnostic), only for mistakes of our own.
 */
export type Provider = Pick<ProviderRun, keyof ProviderRun>

/** Creates the provider for one tool. `times` are for tests. */
export const createProvider = (tool: Tool, environment: Environment, times: Partial<QueueTimes> = {}): Provider =>
  new ProviderRun(tool, environment, times)

class ProviderRun {
  readonly declaration = providerDeclaration
  readonly #tool: Tool
  readonly #environment: Environment
  readonly #times: Partial<QueueTimes>
  #stage: Stage = { kind: 'open' }
  #defaults = defaultsToCome
  #writing = false
  #reportedUnknown = false
  /** Ids that a state of this run has: what is there under them is not in the way. */
  readonly #owned = new Set<string>()
  readonly #owners = new Owners()
  readonly #unowned = new UnownedObjects()
  readonly #sourceKinds = new SourceKinds()
  readonly #identities = new PlannedIdentities((key) => this.#owned.has(key))
  /** Whether the engine could not be read: the kind of a source is then unknown. */
  #unread = false

  constructor(tool: Tool, environment: Environment, times: Partial<QueueTimes>) {
    this.#tool = tool
    this.#environment = environment
    this.#times = times
  }

  /** The provider's own configuration, unknown values among it. */
  validateConfig(config: Values): readonly Diagnostic[] {
    return checkShape(configAttributes, config)
  }

  /** Reads the configuration; unknown values are not fatal: what needs the engine then warns or keeps what it has. */
  configure(config: Values): readonly Diagnostic[] {
    this.#defaults = readDefaults(configAttributes, config, this.#environment)
    const read = readSettings(configAttributes, config, this.#environment, this.#tool)
    switch (read.kind) {
      case 'unknown':
        this.#stage = read
        return []
      case 'invalid':
        return read.diagnostics
      case 'missing':
        return [errorOf(`${read.name} is required`, `Give it, or set ${variableOf(read.name)}.`, [read.name])]
      case 'settings':
        try {
          const session = openSession(read.settings, this.#tool, this.#sourceKinds, this.#times)
          this.#stage = { kind: 'session', session }
          return []
        } catch (error) {
          return [this.#explained(error)]
        }
    }
  }

  validate(name: string, given: Values): readonly Diagnostic[] {
    this.#running?.preview.see()
    const config = this.#filled(name, given)
    return validateInputs(this.#variant(name, config), config, this.#tool.json)
  }

  /** What `plan` says without a request to the engine. */
  planWithoutEngine(request: PlanRequest): PlanResult {
    return this.#planLocally(this.#filledRequest(request))
  }

  /** What is wrong with leaving a resource as it is, of a plan that does not try such. */
  checkUnchanged(name: string, state: Values): readonly Diagnostic[] {
    return this.#unchanged(this.#variant(name, state), state)
  }

  /**
   * Reads of what kind the source is, where that decides what these values mean: before `planWithoutEngine`, which
   * sends no request.
   */
  async prepare(name: string, values: Values): Promise<void> {
    if (isUndecided(kindOf(name), values)) await this.#learnForPlan(this.#filled(name, values))
  }

  async plan(given: PlanRequest): Promise<PlanResult> {
    const request = this.#filledRequest(given)
    const first = this.#planLocally(request)
    const { prior, proposed, config } = request
    const wanted = config ?? proposed
    const isKept = first.planned === prior
    if (!isKept) await this.#learnForPlan(wanted ?? prior)
    const kind = this.#variant(request.kind, wanted ?? prior)
    const local = isKept ? first : this.#planLocally(request)
    const mixed = proposed === null || 'store' in kind ? [] : this.#owners.declare(kind)
    const foreignHere =
      wanted === null || 'store' in kind ? [] : foreignToSource(kind, this.#sourceKinds.of(wanted.source), wanted)
    const plan = { ...local, diagnostics: [...foreignHere, ...local.diagnostics, ...mixed] }
    const isAnew = this.#identities.note(kind, request, plan)
    const stage = this.#stage
    if (stage.kind === 'unknown')
      return { ...plan, diagnostics: [...plan.diagnostics, ...this.#notKnownYet(stage.names)] }
    // what is being applied is checked by applying it
    if (plan.diagnostics.length > 0 || this.#writing || stage.kind === 'open') return { ...plan, anew: isAnew }
    try {
      const foreign = plan.planned === prior ? [] : await this.#foreignVariables(kind, wanted)
      if (foreign.length > 0) return { ...plan, anew: isAnew, diagnostics: foreign }
      const made = prior === null && !('store' in kind) ? plan.planned : null
      const owned = made && !('store' in kind) ? await ownedElsewhere(stage.session, kind, made) : []
      if (owned.length > 0) return { ...plan, diagnostics: owned }
    } catch (error) {
      return { ...plan, diagnostics: [this.#explained(error)] }
    }
    const hide = hideSecrets(kind.attributes, prior, config)
    const found =
      'store' in kind
        ? await checkRecord(stage.session, kind, request, plan)
        : await checkPlan(stage.session, kind, request, plan, isAnew)
    const { anew, renamed, clash } = this.#identities.reconsider(kind, request, plan, isAnew)
    const { hidesValues } = this.#tool
    const all = [
      ...found,
      ...(plan.planned === prior ? this.#unchanged(kind, prior) : []),
      ...(renamed === null ? [] : [renamedWarning(renamed, this.#tool.renamed)]),
      ...(clash === null ? [] : [clashError(clash)]),
      ...(plan.planned === null || hidesValues === undefined
        ? []
        : shownPasswords(kind.attributes, prior, plan.planned, hidesValues)),
    ]
    const diagnostics = all.map((one) => ({ ...one, summary: hide(one.summary), detail: hide(one.detail) }))
    return { ...plan, anew, diagnostics }
  }

  async apply(given: ApplyRequest): Promise<StateResult> {
    this.#writing = true
    const request = { ...given, config: this.#filled(given.kind, given.config) }
    const { prior, planned, config } = request
    try {
      await this.#running?.findDraft()
      await this.#learn(planned ?? prior)
      const kind = this.#variant(request.kind, planned ?? prior)
      if (!('store' in kind)) this.#sourceKinds.declare(kind, planned ?? {})
      const foreign = await this.#foreignVariables(kind, config ?? planned)
      if (foreign.length > 0) return { state: prior, diagnostics: foreign }
      if ('store' in kind) return await applyRecord(this.#session(), kind, request)
      const session = this.#session()
      const isTaken = () => this.#see(kind, planned)
      const owned = prior === null ? await ownedElsewhere(session, kind, planned ?? {}, isTaken) : []
      if (owned.length > 0) return { state: prior, diagnostics: owned }
      const applied = await applyResource(session, kind, request)
      const isMade = planned !== null && applied.diagnostics.every(({ severity }) => severity !== 'error')
      const claimed = isMade ? await this.#unowned.claim(session) : []
      return { ...applied, diagnostics: [...applied.diagnostics, ...claimed] }
    } catch (error) {
      return { state: prior, diagnostics: [this.#explained(error)] }
    }
  }

  /** The state as it is now in the engine, in the user's spelling where that means the same; null when gone. */
  async read(name: string, state: Values): Promise<StateResult> {
    this.#running?.preview.see()
    const kind = kindOf(name)
    this.#own(kind, state)
    if (this.#stage.kind === 'unknown') return { state, diagnostics: this.#notKnownYet(this.#stage.names) }
    try {
      const session = this.#session()
      if ('store' in kind) return await readRecord(session, kind, state)
      await this.#learn(state)
      const variant = this.#sourceKinds.variant(kind, state)
      if (!isStub(kind, state)) return await readResource(session, variant, state)
      const stub = respelledStub(kind, variant, state)
      const owned = await ownedElsewhere(session, variant, stub)
      return owned.length > 0 ? { state: null, diagnostics: owned } : await readResource(session, variant, stub)
    } catch (error) {
      return { state, diagnostics: [this.#explained(error)] }
    }
  }

  /** An import id as a state that `read` completes: its identity is set, all else null. Error: not such an id. */
  importStub(name: string, id: string): StateResult {
    const kind = kindOf(name)
    const parsed = parseImportId(kind, id)
    return parsed.ok
      ? { state: withId(kind, parsed.values), diagnostics: [] }
      : { state: null, diagnostics: [errorOf(`"${id}" is no id of a ${kind.kind}`, parsed.message)] }
  }

  /** An id that a state of this run has. */
  saw(name: string, id: string): void {
    this.#owned.add(`${name} ${id}`)
  }

  /** A state of an older version of the kind, as plain JSON, in today's shape. Same version: as it is. */
  upgrade(name: string, version: number, state: Value): StateResult {
    const kind = kindOf(name)
    const result = upgradeState(kind, version, state)
    this.#own(kind, result.state)
    return result
  }

  validateData(name: string, config: Values): readonly Diagnostic[] {
    const { inputs: attributes } = dataOf(name)
    const given = inputsOf(name, config)
    const { managed = null, kind = null } = given
    const kinds: readonly (readonly [Path, Value])[] =
      name === 'unmanaged_objects' && isValues(managed)
        ? Object.keys(managed).map((one) => [['managed', one], one])
        : [[['kind'], name === 'objects' ? kind : null]]
    return [...checkShape(attributes, given), ...unknownKinds(attributes, kinds, this.#kindName)]
  }

  async readData(name: string, config: Values): Promise<StateResult> {
    const data = dataOf(name)
    const { inputs: attributes } = data
    const given = withProviderDefaults(attributes, inputsOf(name, config), this.#defaults)
    const missing = missingDefaults(attributes, given)
    if (missing.length > 0) return { state: null, diagnostics: missing }
    const inputs = fillDefaults(attributes, given)
    const of = objectData.find((one) => one === data)
    if (this.#stage.kind === 'unknown') return { state: null, diagnostics: this.#notKnownYet(this.#stage.names) }
    try {
      const session = this.#session()
      if (of) {
        await this.#learn(inputs)
        const kind = 'store' in of.kind ? of.kind : this.#sourceKinds.variant(of.kind, inputs)
        return await readObjectData(session, { ...of, kind }, { ...inputs, ...identityInputs(kind, given) })
      }
      if (name === 'preview') return await readPreview(session, inputs, !this.#writing)
      const { reader: client, snapshot, spelling } = session
      const outputs = await dataReads[data.name]?.({ client, snapshot, spelling, kindName: this.#kindName }, inputs)
      return { state: { ...inputs, ...outputs }, diagnostics: [] }
    } catch (error) {
      return { state: null, diagnostics: [this.#explained(error)] }
    }
  }

  /** Ends what is under way as soon as it is safe and refuses what comes after; a write already sent is waited for. */
  stop(): void {
    this.#running?.stop()
  }

  get #running(): EngineSession | null {
    return this.#stage.kind === 'session' ? this.#stage.session : null
  }

  /** Throws ClientError where there is none. */
  #session(): EngineSession {
    const stage = this.#stage
    if (stage.kind === 'session') return stage.session
    throw new ClientError(
      'unreachable',
      stage.kind === 'open'
        ? 'the provider is not configured'
        : `${stage.names.join(', ')} of the provider is not known`,
    )
  }

  readonly #kindName = ({ kind, name }: ResourceKind) => this.#tool.kindName?.(kind) ?? name

  #own(kind: AnyKind, state: Values | null): void {
    if (typeof state?.id === 'string') this.saw(kind.kind, state.id)
  }

  /** An object that this stack declares. What it only reads, as by `get` in a program of Pulumi, or deletes is not claimed. */
  #see(kind: AnyKind, values: Values | null): void {
    const isOwner = this.#running?.settings.connection.owner !== undefined
    if (isOwner && values && !('store' in kind)) this.#unowned.see(kind, values)
  }

  /** Of a run whose engine is not known yet, reported once. */
  #notKnownYet(names: readonly string[]): readonly Diagnostic[] {
    if (this.#reportedUnknown) return []
    this.#reportedUnknown = true
    const detail = `Until ${names.join(', ')} of the provider is known, nothing is read from it and plans are not checked.`
    return [warningOf('the engine is not known yet', detail)]
  }

  #filled<T extends Values | null>(name: string, values: T) {
    return withProviderDefaults(kindOf(name).attributes, values, this.#defaults)
  }

  #filledRequest(request: PlanRequest): PlanRequest {
    const { kind, proposed, config } = request
    return { ...request, proposed: this.#filled(kind, proposed), config: this.#filled(kind, config) }
  }

  #planLocally(request: PlanRequest): PlanResult {
    this.#running?.preview.see()
    const { prior, proposed, config } = request
    const kind = this.#variant(request.kind, config ?? proposed ?? prior)
    this.#own(kind, prior)
    if (proposed !== null) this.#see(kind, prior)
    if (!('store' in kind)) this.#sourceKinds.declare(kind, proposed ?? {})
    return planWithoutEngine(kind, request, this.#tool.json)
  }

  /** A kind as it is in the source that these values name. */
  #variant(name: string, values: Values | null): AnyKind {
    const kind = kindOf(name)
    return 'store' in kind ? kind : this.#sourceKinds.variant(kind, values)
  }

  /** Reads of what kind a source is that no resource of the run is. Throws ClientError. */
  async #learn(values: Values | null): Promise<void> {
    const running = this.#running
    if (running && typeof values?.source === 'string') this.#sourceKinds.read((await running.snapshot.read()).document)
  }

  /** The same for a plan, which reports elsewhere that the engine cannot be read. */
  async #learnForPlan(values: Values | null): Promise<void> {
    if (this.#unread || this.#running?.settings.previewChecks === 'off') return
    if (this.#sourceKinds.of(values?.source) !== null) return
    try {
      await this.#learn(values)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      this.#unread = true
    }
  }

  #explained(error: unknown): Diagnostic {
    if (error instanceof InvalidValue)
      return errorOf(`${pathText(error.path)}: ${error.message}`, '', error.path.slice(0, 1))
    if (!(error instanceof ClientError)) throw error
    return explainClientError(error, this.#running?.reader.endpoint ?? '')
  }

  /** Whether a text is a session variable the engine says: what is only known with it. Throws ClientError. */
  async #foreignVariables(kind: AnyKind, config: Values | null): Promise<readonly Diagnostic[]> {
    const found = config && !('store' in kind) && foreignVariableIn(kind, config, this.#tool.json)
    return !found || (await isKnownVariable(found.variable, this.#session())) ? [] : [found.diagnostic]
  }

  /** What is wrong with leaving an object as it is. */
  #unchanged(kind: AnyKind, state: Values | null): readonly Diagnostic[] {
    const running = this.#running
    if (state === null || 'store' in kind || kind.type !== 'function_permission' || this.#writing) return []
    if (!running || ['off', 'warn'].includes(running.settings.previewChecks)) return []
    return running.preview.checkUnchanged(wantedObject(kind, state, this.#tool))
  }
}

const configAttributes = attributesOf(providerConfig)

type AnyKind = ResourceKind | RecordKind

function kindOf(name: string): AnyKind {
  const kind = kindNamed(name) ?? recordNamed(name)
  if (kind) return kind
  throw new Error(`there is no kind ${name}`)
}

function dataOf(name: string) {
  const data = dataSources.find((one) => one.name === name)
  if (data) return data
  throw new Error(`there is no data source ${name}`)
}

/** Outputs stand next to the inputs, null. */
const inputsOf = (name: string, config: Values): Values =>
  Object.fromEntries(Object.keys(dataOf(name).inputs).map((input) => [input, config[input] ?? null]))

const renamedWarning = (name: string, renamed: string): Diagnostic =>
  warningOf(`${name} is deleted and made in one plan`, `It stays, and becomes what is wanted. ${renamed}`)

const clashError = (name: string): Diagnostic =>
  errorOf(
    `${name} is deleted under another address of this plan`,
    'Two resources of the state have it, and one of them goes. Take that one out of the state, so that the object stays.',
  )
