import type { Agent } from './agent.ts'
import { type Objects, objectOf } from './declared.ts'
import { isSameBut, movesOf } from './moves.ts'
import { ownerOf } from './object-keys.ts'

/** Throws where a run of this agent removed, or changed, what it neither declared nor moved nor was to delete. */
export function checkNothingLost(agent: Agent, before: Objects, after: Objects): void {
  const { program, prefix } = agent
  const moves = movesOf(agent.before, program)
  const left = [...agent.forced].filter(([name]) => !agent.before.has(name))
  const declared = [...agent.before].flatMap(([name, one]) =>
    one.kind === 'Table' && one.force ? [[name, one.table] as const] : [],
  )
  const kept = new Set(agent.stack.names())
  agent.forced = new Map([...left, ...declared].filter(([name]) => kept.has(name)))
  const forced = new Set([...left, ...declared].map(([, table]) => table))
  const wanted = new Set([...program.values()].map((declared) => objectOf(program, declared)[0]))
  for (const [key, value] of before) {
    const [table = '', rest] = key.split('/')
    const places = [key, moves.get(key) ?? key, rest === undefined ? key : `${moves.get(table) ?? table}/${rest}`]
    const found = places.find((place) => after.has(place))
    if (found !== undefined) {
      if (ownerOf(key) !== prefix && !isSameBut(moves, value, after.get(found)))
        throw new Error(`${key} of another one was ${JSON.stringify(value)} and is ${JSON.stringify(after.get(found))}`)
      continue
    }
    const isOwn = ownerOf(key) === prefix
    if (isOwn && !wanted.has(key) && !moves.has(key)) continue
    if (rest !== undefined && forced.has(table) && !wanted.has(table)) continue
    throw new Error(`${key} is lost; there are ${[...after.keys()]}`)
  }
}
