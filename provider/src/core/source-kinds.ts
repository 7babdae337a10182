import { findObject, kindOfSource, type MetadataDocument, nameStyle, sourceAddress } from '@svc/schema'
import {
  type CommonKind,
  identityOf,
  importId,
  isValues,
  parseImportId,
  type ResourceKind,
  type Value,
  type Values,
} from '../resources/index.ts'
import { errorAt } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/**
 * Of what kind the sources of a run are, as far as the engine's metadata and the resources of the run say. It decides what
 * operations on objects in a source are called, and how names are spelled.
 */
export class SourceKinds {
  readonly #declared = new Map<string, string>()
  #document: MetadataDocument | null = null

  read(document: MetadataDocument): void {
    this.#document = document
  }

  /** A resource of this run, which may be a source. */
  declare({ type, sourceKind }: Pick<ResourceKind, 'type' | 'sourceKind'>, values: Values): void {
    if (type === 'source' && sourceKind !== null && typeof values.name === 'string')
      this.#declared.set(values.name, sourceKind)
  }

  /** Null where that is not known, or there is no such source. */
  of(source: Value | undefined): string | null {
    if (typeof source !== 'string') return null
    return (this.#document && kindIn(this.#document, source)) ?? this.#declared.get(source) ?? null
  }

  /** A kind as it is in the source that these values name. */
  variant(kind: ResourceKind, values: Values | null): ResourceKind {
    return values ? variantOf(kind, this.of(values.source), values) : kind
  }
}

function kindIn(document: MetadataDocument, source: string): string | null {
  const object = findObject(document, sourceAddress(source))
  return object ? kindOfSource(object.value) : null
}

/** The same of a document. */
export const variantIn = (document: MetadataDocument, kind: ResourceKind, values: Values): ResourceKind =>
  variantOf(kind, typeof values.source === 'string' ? kindIn(document, values.source) : null, values)

/** Until the kind of the source is known, the spelling of names says it. */
function variantOf(kind: ResourceKind, sourceKind: string | null, values: Values): ResourceKind {
  const known = sourceKind ?? (namesOf(kind, values).some(({ dataset }) => isGiven(dataset)) ? 'bigquery' : null)
  return known === null ? kind : (kind.inKind(known) ?? kind)
}

const isGiven = (value: unknown): boolean => (value ?? null) !== null

/** The values by which a table or function in a source is named. */
const namesOf = ({ attributes }: CommonKind, values: Values) =>
  Object.entries(attributes).flatMap(([head, { type }]) => {
    const value = values[head]
    if (type.kind !== 'object' || !type.attributes.dataset || !isValues(value)) return []
    return [{ head, schema: value.schema, dataset: value.dataset }]
  })

/** Whether the kind of the source decides in which schema something is. */
export const isUndecided = (kind: CommonKind, values: Values): boolean =>
  namesOf(kind, values).some(({ schema, dataset }) => !isGiven(schema) && !isGiven(dataset))

/** What a source of its kind does not have: such objects, datasets, schemas. */
export function foreignToSource(kind: ResourceKind, sourceKind: string | null, values: Values): readonly Diagnostic[] {
  const error = (path: readonly string[], summary: string) => errorAt(kind.attributes, path, summary)
  const names = namesOf(kind, values)
  const twice = names.filter(({ schema, dataset }) => isGiven(schema) && isGiven(dataset))
  if (twice.length > 0) return twice.map(({ head }) => error([head], 'only one of `schema`, `dataset` may be given'))
  if (sourceKind === null || !isGiven(values.source)) return []
  if (!kind.inKind(sourceKind))
    return [error(['source'], `sources of kind ${sourceKind} have no ${kind.name.replaceAll('_', ' ')}s`)]
  const hasDatasets = nameStyle(sourceKind) === 'dataset'
  return names.flatMap(({ head, dataset }) =>
    isGiven(dataset) === hasDatasets
      ? []
      : [
          error(
            [head, 'dataset'],
            hasDatasets ? 'is required in a source of BigQuery' : `there are none in sources of kind ${sourceKind}`,
          ),
        ],
  )
}

/** A state that says nothing but an identity, with the names that a variant of its kind has. */
export function respelledStub(kind: CommonKind, variant: CommonKind, state: Values): Values {
  const identity = identityOf(kind, state)
  const parsed = identity && parseImportId(variant, importId(identity))
  return parsed?.ok ? { ...state, ...parsed.values } : state
}
