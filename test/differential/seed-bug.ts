/** Loaded before an engine: gives it the one seeded bug that the environment names, in the text it is made of. */
import { registerHooks } from 'node:module'
import { seededBugs } from './seeded-bugs.ts'
import { seededWriteBugs } from './seeded-write-bugs.ts'

const bug = [...seededBugs, ...seededWriteBugs].find(({ name }) => name === process.env.TEST_SEEDED_BUG)

if (bug)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/engine/src/${bug.file}`)) return loaded
      const text = String(loaded.source)
      const places = text.split(bug.text).length - 1
      if (places !== 1) throw new Error(`${bug.file} has ${places} times what the bug "${bug.name}" stands in for`)
      return { ...loaded, source: text.replace(bug.text, () => bug.instead) }
    },
  })
