import { directives } from '../types/directives.ts'
import { type NamedType, namedOf, type TypeRef } from '../types/type.ts'
import { prepareShared, sharedTypes } from './all-types.ts'
import { joinTexts } from './join-texts.ts'
import type { PrintContext, Printer } from './meta-object.ts'
import type { Pause } from './pause.ts'
import { wholeMutationRoot, wholeQueryRoot, wholeSubscriptionRoot } from './root-types.ts'
import { sortYielding } from './sort-yielding.ts'
import { printType, tableTexts } from './table-texts.ts'
import { packTexts, type TypeText, type TypeTexts } from './type-texts.ts'
import { unseenTables, visibleTables } from './visible-tables.ts'

/**
 * The texts of all types that can be reached from the roots, sorted by name
 * (reference/queries#directives-and-introspection) with the separator between them, made while other requests go on.
 * Texts of tables are cached from one model and one role to the next, and sent from the cache.
 *
 * In steps on the event loop, not in a worker thread: types are made of the schema cache when they are first used, and a
 * thread cannot see that. Handing them over as data holds the event loop for 0.34 s at 1,000
 * tables, where no step holds it for more than 5 ms, and a schema cache of the thread's own would be held and brought up to date twice (bench/results/queries.md).
 */
export async function allTypeTexts(
  printContext: PrintContext,
  printer: Printer<TypeRef>,
  schemaType: NamedType,
  separator: string,
): Promise<readonly Buffer[]> {
  const { schema, pause } = printContext
  const kept = printContext.kept.texts(printer.key)
  const ofTables: TypeTexts[] = []
  for (const table of [...visibleTables(schema), ...unseenTables(schema)]) {
    ofTables.push(tableTexts(printContext, table, kept, printer, separator))
    await pause()
  }
  const roots = new Map<string, TextPlace>()
  await prepareShared(printContext)
  const others = [wholeMutationRoot(schema), wholeSubscriptionRoot(schema)].filter((root) => root !== null)
  await pause()
  for (const root of [wholeQueryRoot(schema), ...others]) {
    await pause()
    roots.set(root.name, await printRoot(printContext, printer, root, pause))
  }
  await pause()
  const shared: TypeText[] = []
  for (const type of [schemaType, ...sharedTypes(schema)]) {
    shared.push(printType(printContext, printer, type))
    await pause()
  }
  const places = await placesOf(roots, [packTexts(shared, separator), ...ofTables], pause)
  return inOrder(places, separator, pause)
}

/** Where a type's text is: among others that are packed together, or in pieces of its own. */
type TextPlace =
  | { readonly kind: 'packed'; readonly texts: TypeTexts; readonly index: number }
  | { readonly kind: 'pieces'; readonly pieces: readonly Buffer[]; readonly mentions: readonly string[] }

async function printRoot(
  printContext: PrintContext,
  printer: Printer<TypeRef>,
  root: NamedType,
  pause: Pause,
): Promise<TextPlace> {
  const later: PrintContext['later'] = []
  const { text, mentions } = printType({ ...printContext, later }, printer, root)
  const pieces = later.length > 0 ? await joinTexts(text, new Map(), later, pause) : [Buffer.from(text)]
  return { kind: 'pieces', pieces, mentions }
}

/** Returns where the texts of types are, by name. Where two have one name the first counts. */
async function placesOf(
  roots: ReadonlyMap<string, TextPlace>,
  packs: readonly TypeTexts[],
  pause: Pause,
): Promise<ReadonlyMap<string, TextPlace>> {
  const places = new Map(roots)
  for (const texts of packs) {
    for (const [index, name] of texts.names.slice(0, texts.ends.length).entries())
      if (!places.has(name)) places.set(name, { kind: 'packed', texts, index })
    await pause()
  }
  return places
}

const mentionedByDirectives = [...directives.values()].flatMap(({ args }) =>
  [...args.values()].map(({ type }) => namedOf(type).name),
)

/** Texts that follow each other as they are packed. */
interface Run {
  readonly texts: TypeTexts
  readonly from: number
  to: number
}

async function inOrder(
  places: ReadonlyMap<string, TextPlace>,
  separator: string,
  pause: Pause,
): Promise<readonly Buffer[]> {
  const runs: (Run | Buffer)[] = []
  const names = await sortYielding(await reached(places, pause), pause)
  for (const [i, name] of names.entries()) {
    const place = places.get(name)
    if (!place || isEmpty(place, separator)) continue
    if (place.kind === 'pieces') {
      for (const piece of place.pieces) runs.push(piece)
      runs.push(Buffer.from(separator))
      continue
    }
    const { texts, index } = place
    const run = runs.at(-1)
    if (run && !Buffer.isBuffer(run) && run.texts === texts && run.to === index) run.to++
    else runs.push({ texts, from: index, to: index + 1 })
    if (i % 1000 === 0) await pause()
  }
  const pieces = runs.map((run) => (Buffer.isBuffer(run) ? run : bytesOf(run.texts, run.from, run.to)))
  const last = pieces.pop()
  return last ? [...pieces, last.subarray(0, last.length - separator.length)] : []
}

const bytesOf = ({ bytes, ends }: TypeTexts, from: number, to: number): Buffer =>
  bytes.subarray(ends[from - 1] ?? 0, ends[to - 1])

const isEmpty = (place: TextPlace, separator: string): boolean =>
  place.kind === 'pieces'
    ? place.pieces.every(({ length }) => length === 0)
    : bytesOf(place.texts, place.index, place.index + 1).length <= separator.length

async function reached(places: ReadonlyMap<string, TextPlace>, pause: Pause): Promise<readonly string[]> {
  const names = new Set<string>([
    'query_root',
    'mutation_root',
    'subscription_root',
    '__Schema',
    ...mentionedByDirectives,
  ])
  let seen = 0
  for (const name of names) {
    const place = places.get(name)
    if (place?.kind === 'pieces') for (const mentioned of place.mentions) names.add(mentioned)
    if (place?.kind === 'packed') {
      const { texts, index } = place
      for (const at of texts.mentions[index] ?? []) names.add(texts.names[at] ?? '')
    }
    if (++seen % 100 === 0) await pause()
  }
  return [...names]
}
