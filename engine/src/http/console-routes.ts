import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shownPrefix } from '../config/index.ts'
import { ApiError, Path } from '../errors.ts'
import { plain, type Reply, type Route, type RouteRequest } from './route.ts'

export interface ConsoleSettings {
  readonly enableConsole: boolean
  /** Whose files are served below /console/assets/. */
  readonly consoleAssetsDir: string | null
  readonly headerPrefix: string
}

/**
 * /, /console and its files (reference/http#endpoints). Without a console `/` says what answers here, and where what is. The
 * page is that of the package @svc/console; where it is not installed, a page says so.
 */
export function consoleRoutes({ enableConsole, consoleAssetsDir, headerPrefix }: ConsoleSettings): readonly Route[] {
  if (!enableConsole)
    return [{ path: '/', method: 'GET', api: null, authenticated: false, errors: 'api', answer: () => front }]
  const shared = { method: 'GET', api: 'metadata', authenticated: false, errors: 'api' } as const
  const answer = ({ path }: RouteRequest) => page(path, headerPrefix)
  const assetsOf = (folder: string): Route => ({
    ...shared,
    path: `${assets}*`,
    answer: ({ path }) => asset(folder, path.slice(assets.length)),
  })
  return [
    { ...shared, path: '/', answer: () => ({ ...html(''), status: 302, headers: { location: 'console' } }) },
    { ...shared, path: '/console', answer },
    ...['catalogue-views.js', 'chunk.js', 'console.css', 'console.js', 'icon.svg'].map((name) => ({
      ...shared,
      path: `/console/${name}`,
      answer: () => asset(folderOfPage, name),
    })),
    ...(consoleAssetsDir === null ? [] : [assetsOf(consoleAssetsDir)]),
    { ...shared, path: '/console/*', answer },
  ]
}

const assets = '/console/assets/'

/** Of the package that is installed next to the engine; null: it is not. */
const folderOfPage = (() => {
  try {
    return fileURLToPath(new URL('.', import.meta.resolve('@svc/console/page/page.html')))
  } catch {
    return null
  }
})()

/** The views are behind `#`, so each address is one page; what it loads is named relative to it, whatever stands before /console. */
async function page(path: string, headerPrefix: string): Promise<Reply> {
  const text = folderOfPage && (await readFile(join(folderOfPage, 'page.html'), 'utf8').catch(() => null))
  if (!text) return absent
  const up = '../'.repeat(path.split('/').length - 2)
  const values: Readonly<Record<string, string>> = {
    base: up || './',
    files: up ? `${up}console/` : 'console/',
    'header-prefix': shownPrefix(headerPrefix),
  }
  const written = text.replace(/\{\{([a-z-]+)\}\}/g, (_, name: string) => values[name] ?? '')
  return { ...html(written), headers: { ...guards, 'content-security-policy': pagePolicy } }
}

async function asset(folder: string | null, path: string): Promise<Reply> {
  const missing = () =>
    new ApiError('not-found', Path.root, `Couldn't find console asset ${path.slice(0, 200)}`, { status: 404 })
  const file = folder === null ? null : fileOf(folder, path)
  if (file === null) throw missing()
  const body = await readFile(file).catch(() => null)
  if (body === null) throw missing()
  return { ...plain([body], mediaTypes.get(extname(file)) ?? 'application/octet-stream'), headers: guards }
}

/** Inside of the folder, whatever the path says. */
function fileOf(folder: string, path: string): string | null {
  try {
    const inside = normalize(decodeURIComponent(path))
    const isOutside = inside.startsWith('..') || inside.startsWith(sep) || inside.includes('\0')
    return isOutside ? null : join(folder, inside)
  } catch {
    return null
  }
}

const mediaTypes = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
])

const html = (text: string): Reply => plain([Buffer.from(text)], 'text/html; charset=utf-8')

/** It loads nothing, runs nothing, and is in no frame. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** It loads and runs only what the engine serves, and sends requests only to the engine. */
const pagePolicy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const guards = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' }

/** Returns a page that is made of nothing but its content. */
const fixedPage = (content: string): Reply => ({
  ...html(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>svc</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>
${content}
</html>
`),
  headers: { ...guards, 'content-security-policy': policy },
})

const front = fixedPage(`<h1>This is an svc engine</h1>
<p>It serves GraphQL over databases. What it serves is declared as metadata.</p>
<dl>
<dt><code>/v1/graphql</code></dt><dd>queries and mutations by POST, subscriptions over websockets; point any GraphQL client here</dd>
<dt><code>/v1/metadata</code></dt><dd>metadata, for the <code>svc</code> command line, Terraform, OpenTofu and Pulumi</dd>
<dt><code>/healthz</code>, <code>/readyz</code></dt><dd>probes</dd>
<dt><code>/v1/version</code></dt><dd>which version this is</dd>
</dl>
<p><code>svc-engine --help</code> lists its settings, and <code>docs/getting-started.md</code> is where to begin.</p>`)

const absent = fixedPage(`<h1>The console is not installed</h1>
<p>It is a package of its own: <code>npm install @svc/console</code> next to the engine, or, in a checkout,
<code>npm run build -- console</code>.</p>`)
