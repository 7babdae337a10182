/** Stands in for node:fs, node:fs/promises and node:path in the page: the files that were dropped on it. */

let files: ReadonlyMap<string, string> = new Map()

/** The files from now on, by absolute paths. */
export function mount(dropped: ReadonlyMap<string, string>): void {
  files = dropped
}

const isFolder = (path: string) => path === '/' || [...files.keys()].some((name) => name.startsWith(`${path}/`))

const failed = (code: string): never => {
  throw Object.assign(new Error(code), { code })
}

export function readFileSync(path: string): string {
  return files.get(path) ?? failed(isFolder(path) ? 'EISDIR' : 'ENOENT')
}

export const readFile = async (path: string): Promise<string> => readFileSync(resolve(path))

export function statSync(path: string) {
  const text = files.get(path)
  if (text === undefined && !isFolder(path)) failed('ENOENT')
  return { size: text?.length ?? 0, isFile: () => text !== undefined, isDirectory: () => text === undefined }
}

export const stat = async (path: string) => statSync(resolve(path))

export const realpathSync = (path: string): string => path

export function readdirSync(folder: string) {
  const start = folder === '/' ? folder : `${folder}/`
  const below = [...files.keys()].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length))
  return [...new Set(below.map((name) => name.split('/')[0] ?? ''))].map((name) => ({
    name,
    isDirectory: () => !files.has(start + name),
    isSymbolicLink: () => false,
  }))
}

export const sep = '/'
export const isAbsolute = (path: string): boolean => path.startsWith('/')
export const resolve = (...paths: readonly string[]): string =>
  `/${steps(paths.reduce((at, path) => (isAbsolute(path) ? path : `${at}/${path}`), '/')).join('/')}`
export const join = (...paths: readonly string[]): string => {
  const all = paths.join('/')
  return isAbsolute(all) ? resolve(all) : steps(all).join('/')
}
export const dirname = (path: string): string => resolve(path, '..')
export const basename = (path: string): string => path.split('/').at(-1) ?? ''
export const extname = (path: string): string => /(?<=.)\.[^.]*$/.exec(basename(path))?.[0] ?? ''

export function relative(from: string, to: string): string {
  const [above, below] = [steps(resolve(from)), steps(resolve(to))]
  while (above.length > 0 && above[0] === below[0]) {
    above.shift()
    below.shift()
  }
  return [...above.map(() => '..'), ...below].join('/')
}

function steps(path: string): string[] {
  const left: string[] = []
  for (const step of path.split('/'))
    if (step === '..') left.pop()
    else if (step !== '' && step !== '.') left.push(step)
  return left
}
