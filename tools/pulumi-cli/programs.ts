import { createHash } from 'node:crypto'
import { accessSync, constants, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Of the command line; the npm package `pulumi` of this version starts it. */
export const PULUMI_VERSION = '3.259.0'

const home = process.env.PULUMI_HOME ?? join(homedir(), '.pulumi')

/** Where npm's `pulumi` searches for the executables. */
export const pulumiFolder = join(home, 'versions', PULUMI_VERSION, 'bin')

/** Of all Go programs here. */
export const goFlags: readonly string[] = ['-trimpath', '-tags=osusergo,grpcnotrace']

export interface PulumiProgram {
  readonly file: string
  /** The Go module in this folder that pins it. */
  readonly module: 'cli' | 'language-nodejs' | 'language-go' | 'language-yaml'
  /** Its main package. */
  readonly main: string
  /** For the linker. */
  readonly flags: string
}

const stamp = (version: string) => `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`

export const pulumi: PulumiProgram = {
  file: join(pulumiFolder, 'pulumi'),
  module: 'cli',
  main: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
  flags: stamp(PULUMI_VERSION),
}

/** Ours, hence not among Pulumi's own; its name says what it was built of. */
function ownProgram(module: PulumiProgram['module'], name: string): PulumiProgram {
  const hash = createHash('sha256')
  for (const file of ['go.sum', `${name}/main.go`])
    hash.update(readFileSync(fileURLToPath(new URL(`${module}/${file}`, import.meta.url))))
  return {
    file: join(home, 'versions', PULUMI_VERSION, 'svc', `${name}-${hash.digest('hex').slice(0, 16)}`),
    module,
    main: `./${name}`,
    flags: '',
  }
}

/** The generators of the SDKs. */
export const generateSdk: PulumiProgram = ownProgram('cli', 'generate-sdk')

/** The converter of examples from YAML to other languages. */
export const convertExamples: PulumiProgram = ownProgram('language-yaml', 'convert-examples')

export const pulumiPrograms: readonly PulumiProgram[] = [
  {
    file: join(pulumiFolder, 'pulumi-language-nodejs'),
    module: 'language-nodejs',
    main: 'github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs',
    flags: stamp('3.68.0'),
  },
  pulumi,
  {
    file: join(pulumiFolder, 'pulumi-language-yaml'),
    module: 'language-yaml',
    main: 'github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml',
    flags: '-X github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.30.0',
  },
  {
    file: join(pulumiFolder, 'pulumi-language-python'),
    module: 'language-nodejs',
    main: 'github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python',
    flags: stamp('3.68.0'),
  },
  {
    file: join(pulumiFolder, 'pulumi-language-go'),
    module: 'language-go',
    main: 'github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go',
    flags: stamp('3.57.1'),
  },
  generateSdk,
  convertExamples,
]

/** By path: npm's `pulumi` would download what is missing. */
export function isThere({ file }: PulumiProgram): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
