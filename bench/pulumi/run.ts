/**
 * `npm run bench -- pulumi [STARTS]`: the plugin beside one that does nothing (null-plugin.cjs). The goals: ready at most
 * 1.5 times as late, at most 120 MB.
 */
import { measureStarts } from './start.ts'

const { ours, nothing, ratio, megabytes } = await measureStarts(Number(process.argv[2] ?? 15))
const round = (number: number) => Math.round(number * 100) / 100

console.table([
  { goal: 'ready, of what a null plugin takes', measured: round(ratio), most: 1.5 },
  { goal: 'memory once ready, MB', measured: round(megabytes), most: 120 },
])
console.log(`ready after ${round(ours)} ms, the null plugin after ${round(nothing)} ms, the best of each`)
