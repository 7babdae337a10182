import type { MetadataObject } from '@svc/schema'
import { identityOf, importId, type JsonSpelling } from '../resources/index.ts'
import { errorAt, errorOf, warningOf } from './diagnostic.ts'
import { shownDifferences } from './object-steps.ts'
import type { TypeName } from './object-title.ts'
import type { Diagnostic } from './provider.ts'
import { renderDifference } from './render-changes.ts'
import type { WantedObject } from './wanted-object.ts'

export interface WriteRules {
  readonly adoptExisting: boolean
  readonly spelling: JsonSpelling
  /** How the tool says that an address in the state has changed. */
  readonly renamed: string
  readonly typeName: TypeName
}

/** No error: what is to be deleted is no longer this resource's. */
export const staysForOther = (gone: WantedObject, renamed: string): Diagnostic =>
  warningOf(
    `${gone.title()} stays`,
    `Another resource of this configuration has made it or taken it over in this run. ${renamed}`,
  )

export const refuseContaining = (gone: WantedObject, contained: string, renamed: string): Diagnostic =>
  errorOf(
    `${gone.title()} is not deleted: something lies in it that no one deletes`,
    [
      `It would take along ${contained}.`,
      `Delete these first, or let them go with it: force_destroy = true, applied before. ${renamed}`,
    ].join('\n'),
  )

export const refuseImpossible = (wanted: WantedObject): Diagnostic =>
  errorOf(`the engine has no operation that makes this change of ${wanted.title()}`)

/** What stands in the way of making an object, and how to take it over. */
export function refuseExisting(
  wanted: WantedObject,
  live: MetadataObject,
  { spelling, adoptExisting, renamed }: WriteRules,
): Diagnostic {
  const { kind, values } = wanted
  const id = importId(identityOf(kind, values) ?? [])
  const differing = shownDifferences(wanted, live, spelling)
  const lines = differing.map((difference) =>
    difference.old === difference.new ? `${difference.path.join('.')}: a secret differs` : renderDifference(difference),
  )
  if (lines.length === 0)
    return errorOf(
      `${wanted.title()} exists already`,
      `It is equal. Import it by the id "${id}", or set adopt_existing.\n${renamed}`,
    )
  return errorOf(
    `${wanted.title()} exists already and differs`,
    [
      `Existing and wanted:`,
      ...lines,
      `${adoptExisting ? 'What differs is not taken over. ' : ''}Import it by the id "${id}".`,
      renamed,
    ].join('\n'),
  )
}

export const refuseChanged = ({ kind, title }: WantedObject, names: readonly string[]): Diagnostic =>
  errorAt(
    kind.attributes,
    names.slice(0, 1),
    'another client has changed it since the plan was made',
    `${title()} differs from what the plan went out from in ${names.join(', ')}. Nothing was changed: plan again.`,
  )
