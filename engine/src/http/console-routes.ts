import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { ApiError, Path } from '../errors.ts'
import type { Reply, Route } from './route.ts'

export interface ConsoleSettings {
  readonly enableConsole: boolean
  /** Whose files are served below /console/assets/. */
  readonly consoleAssetsDir: string | null
}

/**
 * /, /console and its assets (reference/http#endpoints): the engine brings no console, and says so. Without one `/` says what
 * answers here, and where what is.
 */
export function consoleRoutes({ enableConsole, consoleAssetsDir }: ConsoleSettings): readonly Route[] {
  if (!enableConsole)
    return [{ path: '/', method: 'GET', api: null, authenticated: false, errors: 'api', answer: () => front }]
  const shared = { method: 'GET', api: 'metadata', authenticated: false, errors: 'api' } as const
  const answer = () => html(page)
  return [
    { ...shared, path: '/', answer: () => ({ ...html(''), status: 302, headers: { location: 'console' } }) },
    { ...shared, path: '/console', answer },
    ...(consoleAssetsDir === null
      ? []
      : [
          {
            ...shared,
            path: `${assets}*`,
            answer: ({ path }: { path: string }) => asset(consoleAssetsDir, path.slice(assets.length)),
          },
        ]),
    { ...shared, path: '/console/*', answer },
  ]
}

const assets = '/console/assets/'

async function asset(folder: string, path: string): Promise<Reply> {
  const missing = () =>
    new ApiError('not-found', Path.root, `Couldn't find console asset ${path.slice(0, 200)}`, { status: 404 })
  const file = fileOf(folder, path)
  if (file === null) throw missing()
  const body = await readFile(file).catch(() => null)
  if (body === null) throw missing()
  return { ...html(''), body: [body], contentType: mediaTypes.get(extname(file)) ?? 'application/octet-stream' }
}

/** Inside of the folder, whatever the path says. */
function fileOf(folder: string, path: string): string | null {
  try {
    const inside = normalize(decodeURIComponent(path))
    const leaves = inside.startsWith('..') || inside.startsWith(sep) || inside.includes('\0')
    return leaves ? null : join(folder, inside)
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

const html = (text: string): Reply => ({
  status: 200,
  body: [Buffer.from(text)],
  contentType: 'text/html; charset=utf-8',
  mode: 'non-graphql',
  error: null,
})

const style =
  '<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>'

/** It loads nothing, runs nothing, and is in no frame. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const front: Reply = {
  ...html(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>svc</title>
${style}
<h1>This is an svc engine</h1>
<p>It serves GraphQL over databases. What it serves is declared as metadata.</p>
<dl>
<dt><code>/v1/graphql</code></dt><dd>queries and mutations by POST, subscriptions over websockets; point any GraphQL client here</dd>
<dt><code>/v1/metadata</code></dt><dd>metadata, for the <code>svc</code> command line, Terraform, OpenTofu and Pulumi</dd>
<dt><code>/healthz</code>, <code>/readyz</code></dt><dd>probes</dd>
<dt><code>/v1/version</code></dt><dd>which version this is</dd>
</dl>
<p><code>svc-engine --help</code> lists its settings, and <code>docs/getting-started.md</code> is where to begin.</p>
</html>
`),
  headers: {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  },
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>svc</title>
${style}
<h1>This engine serves no console of its own</h1>
<p>Its metadata is declared: with the <code>svc</code> command line (<code>svc metadata apply</code>,
<code>svc metadata diff</code>), Terraform, OpenTofu, Pulumi or the CDK for Terraform, and over <code>/v1/metadata</code>.</p>
<p>For queries, point any GraphQL client (GraphiQL, Altair, Insomnia) at <code>/v1/graphql</code> of this address with the
header <code>X-Svc-Admin-Secret</code>.</p>
<p>A console of the reference engine's kind runs beside it as a program of its own and talks to this address; files given
by <code>--console-assets-dir</code> are served below <code>/console/assets/</code>.</p>
</html>
`
