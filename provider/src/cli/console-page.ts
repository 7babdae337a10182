import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from './config.ts'

export interface PageFile {
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * What the package @svc/console brings, by its path: `console` is the page, written for an engine whose headers begin so.
 * Throws ConfigError where the package is not installed, or contains no page.
 */
export function readConsolePage(headerPrefix: string): ReadonlyMap<string, PageFile> {
  const folder = folderOfPage()
  const values: Readonly<Record<string, string>> = {
    base: './',
    files: 'console/',
    'header-prefix': headerPrefix.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()),
  }
  const page = read(folder, 'page.html')
    .toString('utf8')
    .replace(/\{\{([a-z-]+)\}\}/g, (_, name: string) => values[name] ?? '')
  const files = readdirSync(folder).flatMap((name): [string, PageFile][] => {
    const contentType = mediaTypes.get(extname(name))
    return contentType ? [[`console/${name}`, { contentType, headers: guards, body: read(folder, name) }]] : []
  })
  const policed = { ...guards, 'content-security-policy': policy }
  return new Map([
    ['console', { contentType: 'text/html; charset=utf-8', headers: policed, body: Buffer.from(page) }],
    ...files,
  ])
}

const absent =
  'the console is not installed: npm install @svc/console where @svc/provider is, or npm run build -- console in a checkout'

function folderOfPage(): string {
  try {
    return fileURLToPath(new URL('.', import.meta.resolve('@svc/console/page/page.html')))
  } catch {
    throw new ConfigError(absent)
  }
}

function read(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name))
  } catch {
    throw new ConfigError(absent)
  }
}

const mediaTypes = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
])

/** As the engine serves it (docs/console.md#security). */
const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const guards = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }
