const END = 0x06054b50
const ENTRY = 0x02014b50
const STORED = 0
const DEFLATED = 8

class NoArchive extends Error {}

/** The files of a zip archive by their names. Throws NoArchive, also where they are larger than `most` bytes together. */
export async function unzip(archive: ArrayBuffer, most: number): Promise<ReadonlyMap<string, string>> {
  const view = new DataView(archive)
  const short = (at: number) => view.getUint16(at, true)
  const long = (at: number) => view.getUint32(at, true)
  const files = new Map<string, string>()
  try {
    let end = archive.byteLength - 22
    while (long(end) !== END) end--
    let left = most
    for (let at = long(end + 16), n = short(end + 10); n > 0; n--) {
      if (long(at) !== ENTRY) break
      const [method, packed, nameLength, local] = [short(at + 10), long(at + 20), short(at + 28), long(at + 42)]
      const name = new TextDecoder().decode(new Uint8Array(archive, at + 46, nameLength))
      at += 46 + nameLength + short(at + 30) + short(at + 32)
      if (name.endsWith('/')) continue
      const start = local + 30 + short(local + 26) + short(local + 28)
      const text = await textOf(new Blob([archive.slice(start, start + packed)]), method, left)
      left -= text.length
      files.set(name, text)
    }
  } catch (error) {
    throw error instanceof NoArchive ? error : new NoArchive('this is no zip archive that can be read')
  }
  return files
}

async function textOf(packed: Blob, method: number, most: number): Promise<string> {
  if (method !== STORED && method !== DEFLATED) throw new NoArchive('the archive is packed in a way that is not known')
  const bytes = packed.stream()
  const reader = (method === STORED ? bytes : bytes.pipeThrough(new DecompressionStream('deflate-raw'))).getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > most) throw new NoArchive('its files are too large for this page: use `svc drift`')
  }
}
