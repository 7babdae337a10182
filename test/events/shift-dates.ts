/** Loaded into an engine: its dates are off by what a file says, in milliseconds (shifted-clock.ts). */
import { readFileSync } from 'node:fs'

const file = process.env.SVC_TEST_CLOCK
if (file !== undefined) {
  const RealDate = Date
  const read = () => Number(readFileSync(file, 'utf8'))
  let offset = read()
  setInterval(() => {
    offset = read()
  }, 20).unref()
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset] : args, newTarget),
    get: (target, key, receiver) =>
      key === 'now' ? () => RealDate.now() + offset : Reflect.get(target, key, receiver),
  })
}
