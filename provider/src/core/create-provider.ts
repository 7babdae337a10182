import type { Environment } from '../client/index.ts'
import { ClientError, type QueueTimes } from '../client/index.ts'
import {
  attributesOf,
  type CommonKind,
  dataSources,
  InvalidValue,
  kindNamed,
  objectData,
  parseImportId,
  providerConfig,
  type RecordKind,
  type ResourceKind,
  recordNamed,
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
import type { Diagnostic, PlanRequest, PlanResult, Provider, Tool } from './provider.ts'
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
import { unknownKind, unknownKinds } from './unknown-kinds.ts'
import { upgradeState } from './upgrade-state.ts'
import { foreignVariableIn, validateInputs } from './validate-inputs.ts'
import { wantedObject } from './wanted-object.ts'

/** Between configurations: no engine yet, one that comes from what is not there yet, or a run with one. */
type Stage =
  | { readonly kind: 'open' }
  | { readonly kind: 'unknown'; readonly names: readonly string[] }
  | { readonly kind: 'session'; readonly session: EngineSession }

/** Creates the provider for one tool. `times` are for tests. */
export function createProvider(tool: Tool, environment: Environment, times: Partial<QueueTimes> = {}): Provider {
  let stage: Stage = { kind: 'open' }
  let defaults = defaultsToCome
  let writing = false
  let reportedUnknown = false
  /** Ids that a state of this run has: what is there under them is not in the way. */
  const owned = new Set<string>()
  const owners = new Owners()
  const sourceKinds = new SourceKinds()
  /** Whether the engine could not be read: the kind of a source is then unknown. */
  let unread = false
  const spelling = tool.json
  const kindName = ({ kind, name }: ResourceKind) => tool.kindName?.(kind) ?? name

  const own = (kind: CommonKind, state: Values | null) => {
    if (state && typeof state.id === 'string') owned.add(`${kind.kind} ${state.id}`)
  }
  const identities = new PlannedIdentities((key) => owned.has(key))

  /** Of a run whose engine is not known yet, reported once. */
  const notKnownYet = (names: readonly string[]): readonly Diagnostic[] => {
    if (reportedUnknown) return []
    reportedUnknown = true
    const list = names.join(', ')
    return [
      {
        severity: 'warning',
        summary: 'the engine is not known yet',
        detail: `Until ${list} of the provider is known, nothing is read from it and plans are not checked.`,
        path: [],
      },
    ]
  }

  const see = () => {
    if (stage.kind === 'session') stage.session.preview.see()
  }

  const filled = <T extends Values | null>(name: string, values: T) =>
    withProviderDefaults(kindOf(name).attributes, values, defaults)

  const filledRequest = (request: PlanRequest): PlanRequest => ({
    ...request,
    proposed: filled(request.kind, request.proposed),
    config: filled(request.kind, request.config),
  })

  const planLocally = (request: PlanRequest): PlanResult => {
    see()
    const kind = variantOf(request)
    own(kind, request.prior)
    if (!('store' in kind)) sourceKinds.declare(kind, request.proposed ?? {})
    return planWithoutEngine(kind, request, spelling)
  }

  /** A kind as it is in the source that a request names. */
  const variantOf = ({ kind: name, prior, ...request }: Pick<PlanRequest, 'kind' | 'prior' | 'proposed' | 'config'>) =>
    variantFor(name, request.config ?? request.proposed ?? prior)

  const variantFor = (name: string, values: Values | null): AnyKind => {
    const kind = kindOf(name)
    return 'store' in kind ? kind : sourceKinds.variant(kind, values)
  }

  /** Reads of what kind a source is that no resource of the run is. Throws ClientError. */
  const learn = async (values: Values | null): Promise<void> => {
    if (stage.kind !== 'session' || typeof values?.source !== 'string') return
    sourceKinds.read((await stage.session.snapshot.read()).document)
  }

  /** The same for a plan, which reports elsewhere that the engine cannot be read. */
  const learnForPlan = async (values: Values | null): Promise<void> => {
    if (unread || stage.kind !== 'session' || stage.session.settings.previewChecks === 'off') return
    if (sourceKinds.of(values?.source) !== null) return
    try {
      await learn(values)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      unread = true
    }
  }

  const session = (): EngineSession => {
    if (stage.kind === 'session') return stage.session
    throw new ClientError(
      'unreachable',
      stage.kind === 'open'
        ? 'the provider is not configured'
        : `${stage.names.join(', ')} of the provider is not known`,
    )
  }

  const explained = (error: unknown): Diagnostic => {
    if (error instanceof InvalidValue)
      return errorOf(`${pathText(error.path)}: ${error.message}`, '', error.path.slice(0, 1))
    if (!(error instanceof ClientError)) throw error
    return explainClientError(error, stage.kind === 'session' ? stage.session.reader.endpoint : '')
  }

  /** Whether a text is a session variable the engine says: what is only known with it. Throws ClientError. */
  const foreignVariables = async (kind: AnyKind, config: Values | null): Promise<readonly Diagnostic[]> => {
    const found = config && !('store' in kind) && foreignVariableIn(kind, config, spelling)
    return !found || (await isKnownVariable(found.variable, session())) ? [] : [found.diagnostic]
  }

  /** What is wrong with leaving an object as it is. */
  const unchanged = (kind: AnyKind, state: Values | null): readonly Diagnostic[] => {
    if (state === null || 'store' in kind || kind.type !== 'function_permission' || writing) return []
    if (stage.kind !== 'session' || ['off', 'warn'].includes(stage.session.settings.previewChecks)) return []
    return stage.session.preview.checkUnchanged(wantedObject(kind, state, tool))
  }

  return {
    declaration: providerDeclaration,

    validateConfig: (config) => checkShape(configAttributes, config),

    configure(config) {
      defaults = readDefaults(configAttributes, config, environment)
      const read = readSettings(configAttributes, config, environment, tool)
      switch (read.kind) {
        case 'unknown':
          stage = read
          return []
        case 'invalid':
          return read.diagnostics
        case 'missing':
          return [errorOf(`${read.name} is required`, `Give it, or set ${variableOf(read.name)}.`, [read.name])]
        case 'settings':
          try {
            stage = { kind: 'session', session: openSession(read.settings, tool, sourceKinds, times) }
            return []
          } catch (error) {
            return [explained(error)]
          }
      }
    },

    validate(name, given) {
      see()
      const config = filled(name, given)
      return validateInputs(variantFor(name, config), config, spelling)
    },

    planWithoutEngine: (request) => planLocally(filledRequest(request)),

    checkUnchanged: (name, state) => unchanged(variantFor(name, state), state),

    async prepare(name, values) {
      if (isUndecided(kindOf(name), values)) await learnForPlan(filled(name, values))
    },

    async plan(given) {
      const request = filledRequest(given)
      const first = planLocally(request)
      const { proposed, config } = request
      const wanted = config ?? proposed
      if (first.planned !== request.prior) await learnForPlan(wanted ?? request.prior)
      const kind = variantOf(request)
      const local = first.planned === request.prior ? first : planLocally(request)
      const mixed = proposed === null || 'store' in kind ? [] : owners.declare(kind)
      const foreignHere =
        wanted === null || 'store' in kind ? [] : foreignToSource(kind, sourceKinds.of(wanted.source), wanted)
      const plan = { ...local, diagnostics: [...foreignHere, ...local.diagnostics, ...mixed] }
      const isAnew = identities.note(kind, request, plan)
      if (stage.kind === 'unknown') return { ...plan, diagnostics: [...plan.diagnostics, ...notKnownYet(stage.names)] }
      // what is being applied is checked by applying it
      if (plan.diagnostics.length > 0 || writing || stage.kind === 'open') return { ...plan, anew: isAnew }
      try {
        const foreign =
          plan.planned === request.prior ? [] : await foreignVariables(kind, request.config ?? request.proposed)
        if (foreign.length > 0) return { ...plan, anew: isAnew, diagnostics: foreign }
        const made = request.prior === null && !('store' in kind) ? plan.planned : null
        const owned = made && !('store' in kind) ? await ownedElsewhere(stage.session, kind, made) : []
        if (owned.length > 0) return { ...plan, diagnostics: owned }
      } catch (error) {
        return { ...plan, diagnostics: [explained(error)] }
      }
      const hide = hideSecrets(kind.attributes, request.prior, request.config)
      const found =
        'store' in kind
          ? await checkRecord(stage.session, kind, request, plan)
          : await checkPlan(stage.session, kind, request, plan, isAnew)
      const { anew, renamed, clash } = identities.reconsider(kind, request, plan, isAnew)
      const all = [
        ...found,
        ...(plan.planned === request.prior ? unchanged(kind, request.prior) : []),
        ...(renamed === null ? [] : [renamedWarning(renamed, tool.renamed)]),
        ...(clash === null ? [] : [clashError(clash)]),
        ...(plan.planned === null || tool.hidesValues === undefined
          ? []
          : shownPasswords(kind.attributes, request.prior, plan.planned, tool.hidesValues)),
      ]
      const diagnostics = all.map((one) => ({ ...one, summary: hide(one.summary), detail: hide(one.detail) }))
      return { ...plan, anew, diagnostics }
    },

    async apply(given) {
      writing = true
      const request = { ...given, config: filled(given.kind, given.config) }
      try {
        if (stage.kind === 'session') await stage.session.findDraft()
        await learn(request.planned ?? request.prior)
        const kind = variantFor(request.kind, request.planned ?? request.prior)
        if (!('store' in kind)) sourceKinds.declare(kind, request.planned ?? {})
        const foreign = await foreignVariables(kind, request.config ?? request.planned)
        if (foreign.length > 0) return { state: request.prior, diagnostics: foreign }
        if ('store' in kind) return await applyRecord(session(), kind, request)
        const owned = request.prior === null ? await ownedElsewhere(session(), kind, request.planned ?? {}) : []
        if (owned.length > 0) return { state: request.prior, diagnostics: owned }
        return await applyResource(session(), kind, request)
      } catch (error) {
        return { state: request.prior, diagnostics: [explained(error)] }
      }
    },

    async read(name, state) {
      see()
      const kind = kindOf(name)
      own(kind, state)
      if (stage.kind === 'unknown') return { state, diagnostics: notKnownYet(stage.names) }
      try {
        if ('store' in kind) return await readRecord(session(), kind, state)
        session()
        await learn(state)
        const variant = sourceKinds.variant(kind, state)
        if (!isStub(kind, state)) return await readResource(session(), variant, state)
        const stub = respelledStub(kind, variant, state)
        const owned = await ownedElsewhere(session(), variant, stub)
        return owned.length > 0 ? { state: null, diagnostics: owned } : await readResource(session(), variant, stub)
      } catch (error) {
        return { state, diagnostics: [explained(error)] }
      }
    },

    importStub(name, id) {
      const kind = kindOf(name)
      const parsed = parseImportId(kind, id)
      return parsed.ok
        ? { state: withId(kind, parsed.values), diagnostics: [] }
        : { state: null, diagnostics: [errorOf(`"${id}" is no id of a ${kind.kind}`, parsed.message)] }
    },

    saw(name, id) {
      owned.add(`${name} ${id}`)
    },

    upgrade(name, version, state) {
      const kind = kindOf(name)
      const result = upgradeState(kind, version, state)
      own(kind, result.state)
      return result
    },

    validateData(name, config) {
      const { inputs: attributes } = dataOf(name)
      const given = inputsOf(name, config)
      return [
        ...checkShape(attributes, given),
        ...(name === 'unmanaged_objects' ? unknownKinds(attributes, given.managed ?? null, kindName) : []),
        ...(name === 'objects' ? unknownKind(attributes, given.kind ?? null, kindName) : []),
      ]
    },

    async readData(name, config) {
      const data = dataOf(name)
      const { inputs: attributes } = data
      const given = withProviderDefaults(attributes, inputsOf(name, config), defaults)
      const missing = missingDefaults(attributes, given)
      if (missing.length > 0) return { state: null, diagnostics: missing }
      const inputs = fillDefaults(attributes, given)
      const of = objectData.find((one) => one === data)
      if (stage.kind === 'unknown') return { state: null, diagnostics: notKnownYet(stage.names) }
      try {
        if (of) {
          await learn(inputs)
          const kind = 'store' in of.kind ? of.kind : sourceKinds.variant(of.kind, inputs)
          return await readObjectData(session(), { ...of, kind }, { ...inputs, ...identityInputs(kind, given) })
        }
        if (name === 'preview') return await readPreview(session(), inputs, !writing)
        const { reader, snapshot } = session()
        const outputs = await dataReads[data.name]?.({ client: reader, snapshot, spelling, kindName }, inputs)
        return { state: { ...inputs, ...outputs }, diagnostics: [] }
      } catch (error) {
        return { state: null, diagnostics: [explained(error)] }
      }
    },

    stop() {
      if (stage.kind === 'session') stage.session.stop()
    },
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
