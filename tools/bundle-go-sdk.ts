/** The Go SDK as `go` fetches it: a folder that GOPROXY=file://FOLDER serves modules from. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { GO_SOURCES } from './sdk/sources.ts'

export interface GoModule {
  readonly path: string
  readonly version: string
}

/** Writes the module into `folder`, which is made again; `suffix`: of the version, as `go` keeps what it has of one for good. */
export function writeGoModule(folder: string, suffix = ''): GoModule {
  const manifest = readFileSync(join(GO_SOURCES, 'go.mod'))
  const [, path = ''] = /^module (.*)$/m.exec(manifest.toString()) ?? []
  const version = `v${JSON.parse(readFileSync(join(GO_SOURCES, 'svc/pulumi-plugin.json'), 'utf8')).version}${suffix}`
  const files = ['go.mod', 'go.sum', ...globSync('svc/**/*.{go,json}', { cwd: GO_SOURCES }).sort()]
  const zip = zipSync(
    Object.fromEntries(
      [...files.map((file) => [file, join(GO_SOURCES, file)] as const), ['LICENSE', 'LICENSE'] as const].map(
        ([name, file]) => [`${path}@${version}/${name}`, readFileSync(file)],
      ),
    ),
    { level: 9, mtime: '2020-01-01' },
  )
  const served = join(folder, path, '@v')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(served, { recursive: true })
  writeFileSync(join(served, 'list'), `${version}\n`)
  writeFileSync(join(served, `${version}.info`), JSON.stringify({ Version: version, Time: '2020-01-01T00:00:00Z' }))
  writeFileSync(join(served, `${version}.mod`), manifest)
  writeFileSync(join(served, `${version}.zip`), zip)
  return { path, version }
}
