import { spawnSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PULUMI_VERSION } from '../../tools/pulumi-cli/programs.ts'
import { withoutGenerators } from './requirements.ts'

const environment = fileURLToPath(new URL(`../../node_modules/.cache/pulumi-python-${PULUMI_VERSION}`, import.meta.url))
const isThere = spawnSync('python3', ['-m', 'venv', '--help'], { stdio: 'ignore' }).status === 0

export const withoutPython = withoutGenerators || (isThere ? false : 'there is no python3')

/** Runs a program in a Python with Pulumi, which is made where it is not there yet (15 s), and the package in `folder`. */
export function runPython(folder: string, program: string): { readonly stdout: string; readonly stderr: string } {
  if (!existsSync(environment)) {
    const unfinished = `${environment}.${process.pid}`
    run('python3', '-m', 'venv', unfinished)
    run(join(unfinished, 'bin/python'), '-m', 'pip', 'install', '-q', ...packages)
    renameSync(unfinished, environment)
  }
  const python = join(environment, 'bin/python')
  const installed = join(folder, 'installed')
  run(python, '-m', 'pip', 'install', '-q', '--no-deps', '--no-build-isolation', '--target', installed, folder)
  return spawnSync(python, ['-c', program], { encoding: 'utf8', cwd: installed })
}

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
