/** `npm run soak -- schedules [MINUTES]`: a simulated day of cron triggers and one-off events, with kills and a long stop. */
import { simulateDay } from '../events/simulated-day.ts'

const counts = await simulateDay({
  minutes: Number(process.argv[2] ?? 24 * 60),
  longestJump: 15,
  killEvery: 6,
  stop: 8 * 60,
  back: 30,
  oneOffs: 300,
  progress: ({ minute, received, kills }) => {
    if (Math.random() < 0.1) console.log(`minute ${minute}: ${received} requests, ${kills} kills`)
  },
})
console.log(
  `${counts.delivered} ticks and one-off events came to their end, ${counts.retried} retries; ${counts.dead} were dead after the ` +
    `long stop, ${counts.skipped} were never planned in it; ${counts.kills} engines killed, ${counts.duplicates} attempts repeated`,
)
