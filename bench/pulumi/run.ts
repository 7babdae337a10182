/**
 * `npm run bench -- pulumi [STARTS] [RESOURCES] [PREVIEWS]`: the plugin compared with one that does nothing
 * (null-plugin.cjs). The goals: ready at most 1.5 times as late, a preview of 1,000 resources that finds nothing to do
 * at most 1.5 times as long, at most 120 MB.
 */
import { measurePreviews } from './preview.ts'
import { measureStarts } from './start.ts'

const { ours, nothing, ratio, megabytes } = await measureStarts(Number(process.argv[2] ?? 15))
const resources = Number(process.argv[3] ?? 1000)
const previews = await measurePreviews(resources, Number(process.argv[4] ?? 5))
const round = (number: number) => Math.round(number * 100) / 100

console.table([
  { goal: 'ready, of what a null plugin takes', measured: round(ratio), most: 1.5 },
  { goal: 'memory once ready, MB', measured: round(megabytes), most: 120 },
  { goal: `preview of ${resources}, of what a null plugin takes`, measured: round(previews.ratio), most: 1.5 },
  { goal: 'memory after it, MB', measured: round(previews.megabytes), most: 120 },
])
console.log(`ready after ${round(ours)} ms, the null plugin after ${round(nothing)} ms, the best of each`)
console.log(
  `previewed in ${round(previews.ours)} s, with the null plugin in ${round(previews.nothing)} s, the best of each`,
)
