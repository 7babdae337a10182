import { defaultStyle, type NameStyle, perStyle } from '../backend-kind.ts'
import { functionConfiguration } from '../objects/function.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { choose, isRecord, lenient, name, nullable, optional, type Schema, text, unless, type Value } from '../shape.ts'
import { inTable, sourceName } from './shared-keys.ts'

const named = (style: NameStyle) => ({ source: sourceName, function: qualifiedName(style) })

/** `<p>_track_function` (reference/metadata-operations#functions), and version 2 of track_function. */
export const trackFunctionArgs = perStyle((style) =>
  lenient({ ...named(style), configuration: unless({}, functionConfiguration), comment: optional(text) }),
)
export type TrackFunctionArgs = Value<ReturnType<typeof trackFunctionArgs>>

/** track_function of version 1: the function itself (reference/metadata-operations#functions). */
export const trackFunctionVersion1Args: Schema<TrackFunctionArgs> = choose<TrackFunctionArgs>((value) =>
  isRecord(value) && value.function !== undefined
    ? trackFunctionArgs(defaultStyle)
    : qualifiedName(defaultStyle).transform((called) => ({ source: 'default', function: called })),
)

export interface UntrackFunctionArgs {
  readonly source: string
  readonly function: Value<ReturnType<typeof qualifiedName>>
}

const underTable = (style: NameStyle): Schema<UntrackFunctionArgs> =>
  lenient(inTable(style)).transform(({ source, table }) => ({ source, function: table }))

/**
 * `<p>_untrack_function`: `{function, source}`, `{table, source}` or the function itself
 * (reference/metadata-operations#functions, reference/metadata-document#both-spellings).
 */
export const untrackFunctionArgs = perStyle(
  (style): Schema<UntrackFunctionArgs> =>
    choose<UntrackFunctionArgs>((value) =>
      isRecord(value) && value.name === undefined
        ? value.function === undefined && value.table !== undefined
          ? underTable(style)
          : lenient(named(style))
        : qualifiedName(style).transform((called) => ({ source: 'default', function: called })),
    ),
)

/**
 * `<p>_set_function_customization`: replaces the whole configuration; a comment only where the arguments have one
 * (null: none).
 */
export const setFunctionCustomizationArgs = perStyle((style) =>
  lenient({
    ...named(style),
    configuration: functionConfiguration,
    comment: choose((value) => (value === undefined ? optional(text) : nullable(text))),
  }),
)

export const functionPermissionArgs = perStyle((style) => lenient({ ...named(style), role: name }))
export type FunctionPermissionArgs = Value<ReturnType<typeof functionPermissionArgs>>
