/**
 * `npm run pulumi-cli`: the Pulumi command line with its language hosts for Node, Python, Go and YAML, built from Go
 * modules where no download is to be had, into the folder in which npm's `pulumi` searches for it. What exists already
 * is not built again. With them goes `generate-sdk`, the generators of the SDKs. Six minutes on two cores, once; the
 * caches of Go take 4 GB.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { goFlags, isThere, PULUMI_VERSION, pulumiFolder, pulumiPrograms } from './pulumi-cli/programs.ts'

function build({ file, module, main, flags }: (typeof pulumiPrograms)[number]): void {
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  const args = ['build', '-mod=readonly', ...goFlags, `-ldflags=-s -w ${flags}`]
  const go = spawnSync('go', [...args, '-o', unfinished, main], {
    cwd: fileURLToPath(new URL(`pulumi-cli/${module}`, import.meta.url)),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  })
  if (go.error) throw new Error(`go was not found: it builds Pulumi ${PULUMI_VERSION} for ${dirname(file)}`)
  if (go.status !== 0) process.exit(1)
  renameSync(unfinished, file)
}

/** What the language host for Python starts programs by: a script in the SDK of the command line's version. */
function copyPythonScript(): void {
  const file = join(pulumiFolder, 'pulumi-language-python-exec')
  if (existsSync(file)) return
  const { stdout } = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', 'github.com/pulumi/pulumi/sdk/v3'], {
    cwd: fileURLToPath(new URL('pulumi-cli/cli', import.meta.url)),
    encoding: 'utf8',
  })
  copyFileSync(join(stdout.trim(), 'python/cmd/pulumi-language-python-exec'), file)
  chmodSync(file, 0o755)
}

for (const program of pulumiPrograms) {
  if (isThere(program)) continue
  console.log(`building ${program.file}`)
  build(program)
}
copyPythonScript()
