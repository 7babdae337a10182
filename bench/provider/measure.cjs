// Loaded into a provider that Terraform starts (NODE_OPTIONS): when it ends it writes what it took, a line of JSON.
const { appendFileSync, readFileSync } = require('node:fs')

const file = process.env.SVC_BENCH_USAGE
let ready = null
const write = process.stdout.write
process.stdout.write = function (...given) {
  ready ??= performance.now() // since the process began
  return write.apply(this, given)
}
process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  if (ready !== null)
    appendFileSync(file, `${JSON.stringify({ ready, cpu: (user + system) / 1000, megabytes: peakOfMemory() })}\n`)
})

/** Linux counts in maxRSS what Terraform had when it started the process: its own peak is measured elsewhere. */
function peakOfMemory() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}
