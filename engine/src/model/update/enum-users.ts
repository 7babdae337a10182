import { address, childrenOf, equalJson, type MetadataObject, type ObjectAddress } from '@svc/schema'
import type { LongWork } from '../../long-work.ts'
import type { SourceState } from '../../sources/index.ts'
import type { ModelInput } from '../model-settings.ts'
import { namingOf } from '../naming/source-naming.ts'
import { enumOf } from '../resolve/enum-table.ts'
import { tableOwn } from '../table-id.ts'
import type { TableOfDocument } from './table-of-document.ts'

/**
 * The tables with a column that refers to one of `changed` whose enum is another than before. All tables of its source
 * are scanned (1 ms at 5,000): that happens when an enum changes, which is seldom.
 */
export function* enumUsers(
  before: ModelInput,
  input: ModelInput,
  changed: Iterable<ObjectAddress>,
): LongWork<readonly TableOfDocument[]> {
  const bySource = new Map<string, Set<string>>()
  let done = 0
  for (const { own, parent } of changed) {
    if (++done % piece === 0) yield piece
    const source = parent?.own ?? ''
    if (equalJson(enumIn(before, source, own), enumIn(input, source, own))) continue
    bySource.set(source, (bySource.get(source) ?? new Set()).add(own))
  }
  return [...bySource].flatMap(([source, enums]) => usersIn(input, source, enums))
}

const piece = 64

function placeOf(
  { document, sources }: ModelInput,
  own: string,
): { readonly source: MetadataObject; readonly state: SourceState | undefined } | null {
  const source = childrenOf(document, 'source').get(own)
  return source ? { source, state: sources.get(String(source.value.name)) } : null
}

function enumIn(input: ModelInput, source: string, own: string) {
  const place = placeOf(input, source)
  return (
    place && enumOf(place.source, place.state, own, namingOf(place.source, input.settings.namingConvention ?? null))
  )
}

function usersIn(input: ModelInput, own: string, enums: ReadonlySet<string>): readonly TableOfDocument[] {
  const place = placeOf(input, own)
  if (place?.state?.status !== 'ready') return []
  const { tables } = place.state.introspection
  const at = address('source', own)
  return [...childrenOf(place.source, 'table')].flatMap(([ownTable, object]) => {
    const keys = tables.get(ownTable)?.foreignKeys ?? []
    const refers = keys.some(({ columns, target }) => columns.length === 1 && enums.has(tableOwn(target)))
    return refers ? [{ address: address('table', ownTable, at), object }] : []
  })
}
