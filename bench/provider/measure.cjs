// Loaded into a provider that Terraform starts (NODE_OPTIONS): when it ends it writes what it took, a line of JSON.
const { appendFileSync } = require('node:fs')

const file = process.env.SVC_BENCH_USAGE
let ready = null
const write = process.stdout.write
process.stdout.write = function (...given) {
  ready ??= performance.now() // since the process began
  return write.apply(this, given)
}
process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  if (ready !== null)
    appendFileSync(file, `${JSON.stringify({ ready, cpu: (user + system) / 1000, megabytes: maxRSS / 1024 })}\n`)
})
