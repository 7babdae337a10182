/** The Python SDK as pip installs it: a wheel and a source distribution, written without Python. */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { tarGz } from './release/tar.ts'
import { generateSdks } from './sdk/generate-sdks.ts'
import { PYTHON_PAGE } from './sdk/sources.ts'

export interface PythonPackage {
  /** Names of the files in the folder. */
  readonly wheel: string
  readonly sources: string
}

/**
 * Generates the package from sdk/schema.json and writes both archives into `folder`, which is made again. Throws Error where
 * the generators are not there.
 */
export function writePythonPackage(folder: string): PythonPackage {
  const generated = mkdtempSync(join(tmpdir(), 'svc-python-sdk-'))
  try {
    generateSdks({ python: generated })
    return writeArchives(generated, folder)
  } finally {
    rmSync(generated, { recursive: true })
  }
}

function writeArchives(generated: string, folder: string): PythonPackage {
  const project = readProject(readFileSync(join(generated, 'pyproject.toml'), 'utf8'))
  const name = `${project.name}-${project.version}`
  const code = globSync('pulumi_svc/**/*.{py,json,typed}', { cwd: generated })
    .sort()
    .map((path) => ({ path, content: readFileSync(join(generated, path)) }))
  const metadata = Buffer.from(metadataText(project))
  const packaging = [
    { path: 'pyproject.toml', content: readFileSync(join(generated, 'pyproject.toml')) },
    { path: 'README.md', content: readFileSync(PYTHON_PAGE) },
  ]
  const wheel = `${name}-py3-none-any.whl`
  const sources = `${name}.tar.gz`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const installed = [
    ...code,
    { path: `${name}.dist-info/METADATA`, content: metadata },
    { path: `${name}.dist-info/WHEEL`, content: Buffer.from(wheelText) },
    { path: `${name}.dist-info/top_level.txt`, content: Buffer.from('pulumi_svc\n') },
  ]
  const record = { path: `${name}.dist-info/RECORD`, content: Buffer.from(recordText(installed, name)) }
  const entries = Object.fromEntries([...installed, record].map(({ path, content }) => [path, content]))
  writeFileSync(join(folder, wheel), zipSync(entries, { level: 9, mtime: '2020-01-01' }))
  const packed = [...packaging, { path: 'PKG-INFO', content: metadata }, ...code]
  writeFileSync(join(folder, sources), tarGz(packed.map(({ path, content }) => ({ path: `${name}/${path}`, content }))))
  return { wheel, sources }
}

interface Project {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly 'requires-python': string
  readonly dependencies: readonly string[]
  readonly keywords: readonly string[]
}

/** The generated pyproject.toml has one setting a line, texts and lists of texts as JSON writes them. */
function readProject(text: string): Project {
  const [, section = ''] = /\[project\]\n([\s\S]*?)(?=\n *\[)/.exec(text) ?? []
  return Object.fromEntries(
    [...section.matchAll(/^ *([\w-]+) = (.*)$/gm)].map(([, name, value = 'null']) => [name, JSON.parse(value)]),
  )
}

const metadataText = (project: Project): string =>
  [
    'Metadata-Version: 2.1',
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `Keywords: ${project.keywords.join(',')}`,
    'License: Apache-2.0',
    `Requires-Python: ${project['requires-python']}`,
    ...project.dependencies.map((one) => `Requires-Dist: ${one}`),
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(PYTHON_PAGE, 'utf8'),
  ].join('\n')

const wheelText = 'Wheel-Version: 1.0\nGenerator: svc\nRoot-Is-Purelib: true\nTag: py3-none-any\n'

const recordText = (files: readonly { readonly path: string; readonly content: Uint8Array }[], name: string): string =>
  [
    ...files.map(
      ({ path, content }) =>
        `${path},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}`,
    ),
    `${name}.dist-info/RECORD,,`,
    '',
  ].join('\n')
