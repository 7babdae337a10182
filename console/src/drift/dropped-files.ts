import { unzip } from './unzip.ts'

/** Characters of all files together. */
const MOST = 50_000_000

export class Unreadable extends Error {}

/** Files that people do not mean, and that are many. */
const isMeant = (path: string) => !/(?:^|\/)(?:\.[^/]+|node_modules|__MACOSX)\//.test(`/${path}`)

/** Chosen files by their absolute paths, as if they lay at the top; those of an archive in place of it. Throws Unreadable. */
export async function readFiles(chosen: readonly File[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  let left = MOST
  const add = (path: string, text: string) => {
    left -= text.length
    if (left < 0) throw new Unreadable('These files are too large for this page: use `svc drift`.')
    files.set(`/${path}`, text)
  }
  for (const file of chosen) {
    const path = file.webkitRelativePath || pathOf(file)
    if (!isMeant(path)) continue
    if (file.size > left) throw new Unreadable('These files are too large for this page: use `svc drift`.')
    if (!/\.zip$/i.test(path)) add(path, await file.text())
    else for (const [name, text] of await unzip(await file.arrayBuffer(), left)) if (isMeant(name)) add(name, text)
  }
  return files
}

const paths = new WeakMap<File, string>()
const pathOf = (file: File) => paths.get(file) ?? file.name

/** All files that were dropped, with those of folders. */
export async function filesOf(transfer: DataTransfer): Promise<readonly File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found: File[] = []
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (!isMeant(`${entry.fullPath.slice(1)}/`)) return
    if (isFile(entry)) {
      const file = await new Promise<File>((done, fail) => entry.file(done, fail))
      paths.set(file, entry.fullPath.slice(1))
      found.push(file)
    } else for (const one of await entriesOf(entry as FileSystemDirectoryEntry)) await walk(one)
  }
  for (const entry of entries) await walk(entry)
  return found
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** A browser lists a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((done, fail) => reader.readEntries(done as never, fail))
    if (some.length === 0) return all
    all.push(...some)
  }
}
