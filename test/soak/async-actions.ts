/** `npm run soak -- async-actions [CALLS] [KILLS]`: handlers of asynchronous actions are called at most once (5,000, 30). */
import { killBetweenCalls } from '../serving/async-action-kills.ts'

const calls = Number(process.argv[2] ?? 5000)
const { answered, interrupted, interruptedCalls, kills } = await killBetweenCalls(calls, Number(process.argv[3] ?? 30))
console.log(
  `${calls} calls: ${answered} answered, ${interrupted} interrupted by ${kills} kills (${interruptedCalls} of them had been made), none made twice`,
)
