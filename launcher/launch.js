/**
 * Runs a program with Node 24 or newer: in this process when it is that new, else in a child process with the Node 24
 * that the optional dependencies bring along. Plain JavaScript, since Node 20 has to run it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findNode } from './find-node.js'

const REQUIRED_MAJOR = 24
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']
/** Sent by a terminal to every process in its foreground, so to this program and to anyone who forwards to it. */
const FROM_TERMINAL = ['SIGINT', 'SIGHUP', 'SIGQUIT']
const SAME_KEYSTROKE_MS = 500
/** As it was when this module was loaded: a program may take its own arguments off before it calls `launch`. */
const COMMAND_LINE = process.argv.slice(1)
const LIFELINE = 'SVC_LAUNCHER_LIFELINE'

/**
 * Runs the first of `entries` that exists: in a checkout the source, in a published package what was built from it.
 * @param {...URL} entries
 */
export async function launch(...entries) {
  if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) return runAgainWithNewerNode()
  const entry = entries.find((candidate) => existsSync(fileURLToPath(candidate)))
  if (entry === undefined) return fail(`${entries.map((url) => fileURLToPath(url)).join(' and ')} do not exist`)
  silenceExperimentalWarnings()
  countKeystrokesOnce()
  holdLifeline()
  await import(entry.href)
}

function runAgainWithNewerNode() {
  const node = findNode()
  if (node === undefined) {
    const platform = `${process.platform}-${process.arch}`
    return fail(
      `this needs Node.js ${REQUIRED_MAJOR} or newer (running: ${process.version}), and no copy for ${platform} is ` +
        `installed: install Node.js ${REQUIRED_MAJOR}, or run npm again without --omit=optional`,
    )
  }
  const args = ['--disable-warning=ExperimentalWarning', ...process.execArgv, ...COMMAND_LINE]
  const child = spawn(node, args, {
    env: { ...process.env, [LIFELINE]: '3' },
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  for (const signal of FORWARDED) process.on(signal, () => forward(child, signal))
  child.on('error', (error) => fail(`cannot run ${node} (${error.code}): install Node.js ${REQUIRED_MAJOR}`))
  child.on('exit', (code, signal) => (signal === null ? process.exit(code) : dieOf(signal)))
}

function forward(child, signal) {
  // Windows has no signals: kill would end the child at once, and Ctrl-C reaches it without us
  if (process.platform !== 'win32') child.kill(signal)
}

function dieOf(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // the first process of a container survives its own signal
  process.exit(128 + constants.signals[signal])
}

/** A launcher that is killed cannot forward anything; its end of the pipe closes, and the program ends as by SIGTERM. */
function holdLifeline() {
  const descriptor = process.env[LIFELINE]
  if (descriptor === undefined) return
  delete process.env[LIFELINE]
  const lifeline = new Socket({ fd: Number(descriptor) })
  lifeline.on('error', () => {})
  lifeline.on('close', () => process.kill(process.pid, 'SIGTERM'))
  lifeline.resume()
  lifeline.unref()
}

/**
 * One Ctrl-C arrives up to three times: from the terminal, from npm, and from the launcher. A server for which the
 * second one means "at once" would never end in order, so those close together count as one.
 */
function countKeystrokesOnce() {
  const last = new Map()
  const emit = process.emit
  process.emit = function (event, ...rest) {
    if (FROM_TERMINAL.includes(event)) {
      const previous = last.get(event) ?? Number.NEGATIVE_INFINITY
      last.set(event, performance.now())
      if (performance.now() - previous < SAME_KEYSTROKE_MS) return true
    }
    return emit.call(this, event, ...rest)
  }
}

/** Node 24 calls type stripping experimental until 24.12. */
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning
  process.emitWarning = function (warning, ...rest) {
    if (rest[0] === 'ExperimentalWarning' || rest[0]?.type === 'ExperimentalWarning') return
    emitWarning.call(this, warning, ...rest)
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
