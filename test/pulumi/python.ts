import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PULUMI_VERSION } from '../../tools/pulumi-cli/programs.ts'
import { withoutGenerators } from './requirements.ts'

const environment = fileURLToPath(new URL(`../../node_modules/.cache/pulumi-python-${PULUMI_VERSION}`, import.meta.url))
const isThere = spawnSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' }).status === 0

export const withoutPython = withoutGenerators || (isThere ? false : 'there is no python3 with venv and ensurepip')

/** The folder of a Python with Pulumi and nothing of ours, which is made where it is not there yet (15 s). */
export function pythonWithPulumi(): string {
  if (!existsSync(environment)) {
    const unfinished = `${environment}.${process.pid}`
    run('python3', '-m', 'venv', unfinished)
    run(join(unfinished, 'bin/python'), '-m', 'pip', 'install', '-q', ...packages)
    takeOver(unfinished)
  }
  return environment
}

/** Another file may have made it meanwhile. */
function takeOver(unfinished: string): void {
  try {
    renameSync(unfinished, environment)
  } catch (error) {
    if (!existsSync(environment)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

/** Installs an archive of our package, a wheel or its sources, into a folder. Asks no registry. */
export function installPython(archive: string, folder: string): void {
  const pip = ['-m', 'pip', 'install', '-q', '--no-deps', '--no-index', '--no-build-isolation', '--target', folder]
  run(join(pythonWithPulumi(), 'bin/python'), ...pip, archive)
}

/** Runs a program with the package that is installed in `folder`. */
export const runPython = (folder: string, program: string): { readonly stdout: string; readonly stderr: string } =>
  spawnSync(join(pythonWithPulumi(), 'bin/python'), ['-c', program], { encoding: 'utf8', cwd: folder })

const packages = [
  `pulumi==${PULUMI_VERSION}`,
  'parver==1.0.1.post0',
  'semver==3.1.1',
  'setuptools==75.8.0',
  'wheel==0.45.1',
]

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stderr}`)
}
