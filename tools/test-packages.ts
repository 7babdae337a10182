/**
 * `node tools/test-packages.ts`: what tests, benchmarks, lint and the site of the docs need in addition to `npm ci`. They are a package of
 * their own, test-packages/, so that running an engine installs none of it, and are linked into node_modules, where
 * everything finds them. Installed once for each lockfile; nothing happens where all of them are there.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const folder = join(checkout, 'test-packages')
const modules = join(checkout, 'node_modules')
/** Of these only one copy may be loaded: that of `npm ci`, which is found a folder further up. */
const shared = ['@grpc/grpc-js', 'graphql']

/** Installs and links what is not there. Throws Error where npm fails. */
export function installTestPackages(): void {
  const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const names = Object.keys(dependencies)
  // node_modules from before they were a package of their own has them as folders, until the next `npm ci`
  if (names.some((name) => lstatSync(join(modules, name), { throwIfNoEntry: false })?.isDirectory())) return
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const installed = join(folder, 'node_modules/.installed')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== hash) {
    install()
    for (const name of shared) rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
    writeFileSync(installed, hash)
  }
  for (const name of names) {
    const target = join(folder, 'node_modules', name)
    link(target, join(modules, name))
    for (const command of commandsOf(target))
      link(join(folder, 'node_modules/.bin', command), join(modules, '.bin', command))
  }
}

function install(): void {
  console.log('installing what tests need: test-packages/')
  // with this Node: npm of an older one warns of packages that are not for it
  const npm = process.env.npm_execpath
  const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } =
    npm === undefined
      ? spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [npm, ...args], { cwd: folder, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) throw new Error('npm ci in test-packages/ failed: what tests need is not there')
}

function commandsOf(target: string): readonly string[] {
  const { name, bin }: { name: string; bin?: string | Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(target, 'package.json'), 'utf8'),
  )
  return typeof bin === 'string' ? [basename(name)] : Object.keys(bin ?? {})
}

function link(target: string, path: string): void {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  symlinkSync(target, path, 'junction')
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) installTestPackages()
