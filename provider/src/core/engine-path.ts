import type { Path } from '../resources/index.ts'

/** Parses a path of the engine, `$.args[1].args["first name"][0]`, into its steps. */
export function parseEnginePath(text: string): Path {
  const steps = text.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)
  return [...steps].map(([, key, index, quoted]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? (key ?? '') : String(JSON.parse(quoted))
  })
}

/**
 * Returns the part of an error's path that is in the arguments of the operation at fault, whatever bulks that one is
 * in.
 */
export function pathInArguments(text: string): Path {
  let path = parseEnginePath(text)
  while (path[0] === 'args' && typeof path[1] === 'number') path = path.slice(2)
  return path[0] === 'args' ? path.slice(1) : path
}
