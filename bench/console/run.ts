/**
 * `npm run bench -- console`: the console at 1,000 tables with two permissions and a relationship each, from an engine of this
 * machine in Chromium. How long until a view can be used, with nothing in the browser's cache; until what a search or a table's
 * view finds stands in the page, painted. For comparison a page without content from the same engine.
 */
import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { startBrowser } from '../../test/console/open-page.ts'
import { startEngine } from '../../test/engine.ts'
import { prepareConsole } from '../../tools/start/build-console.ts'

const tables = 1_000
const rounds = 9

await prepareConsole(process.cwd())
const engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_CONSOLE: 'true' } })
const names = Array.from({ length: tables }, (_, n) => `table_${n + 1}`)

async function ask(path: string, body: unknown): Promise<void> {
  const answer = await engine.post(path, body)
  if (answer.status !== 200) throw new Error(answer.text.slice(0, 500))
}

const columns = 'id int PRIMARY KEY, name text, owner text, price numeric, created timestamptz'
const sql = names.map((name, n) => `CREATE TABLE ${name} (${columns}, parent int REFERENCES table_${Math.max(1, n)});`)
await ask('/v2/query', { type: 'run_sql', args: { sql: sql.join('\n') } })
await ask('/v1/metadata', { type: 'pg_track_tables', args: { tables: names } })
const filter = { owner: { _eq: 'X-Svc-User-Id' } }
const permission = { columns: ['id', 'name', 'price'], filter }
await ask('/v1/metadata', {
  type: 'bulk_atomic',
  args: names.flatMap((table) => [
    { type: 'pg_create_object_relationship', args: { table, name: 'above', using: { foreign_key_constraint_on: 'parent' } } },
    { type: 'pg_create_select_permission', args: { table, role: 'reader', permission } },
    { type: 'pg_create_update_permission', args: { table, role: 'writer', permission: { columns: ['name'], filter } } },
  ]), // biome-ignore format: one operation a line
})

/** Reports in the page when the expected content has been painted, in milliseconds since the page was requested. */
const watcher = `globalThis.painted = (find) => new Promise((done) => {
  const look = () => {
    if (!find()) return false
    requestAnimationFrame(() => setTimeout(() => done(performance.now())))
    return true
  }
  if (look()) return
  const observer = new MutationObserver(() => look() && observer.disconnect())
  observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
})`

const browser = await startBrowser()
const figures = new Map<string, number[]>()
const note = (what: string, time: number) => figures.set(what, [...(figures.get(what) ?? []), time])

const has = (text: string) => `() => document.body?.innerText.includes(${JSON.stringify(text)})`

async function openAt(hash: string, seen: string): Promise<{ readonly page: Page; readonly time: number }> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript({
    content: `sessionStorage.setItem('svc-admin-secret', ${JSON.stringify(engine.secret)});${watcher};
      globalThis.first = painted(${has(seen)})`,
  })
  await page.goto(`${engine.url}/console${hash}`)
  return { page, time: Number(await page.evaluate('first')) }
}

/** From an input until its result is painted. */
const taken = (page: Page, act: string, seen: string) =>
  page.evaluate<number>(`(async () => {
    const started = performance.now()
    const shown = painted(${seen})
    ${act}
    return (await shown) - started
  })()`)

const search = (text: string) => `{
  const input = document.querySelector('input[type=search]')
  input.value = ${JSON.stringify(text)}
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}`

const searches = [
  ['a table', 'table_777', '1 of 1000 tables'],
  ['a role', 'reader', '1000 of 1000 tables'],
  ['a role and a column', 'writer table_99', '11 of 1000 tables'],
  ['nothing', 'absent', '0 of 1000 tables'],
  ['all again', '', '1000 of 1000 tables'],
] as const

for (let round = 0; round < rounds; round++) {
  const bare = await browser.newPage()
  await bare.goto(`${engine.url}/`)
  note('a page without content', await bare.evaluate<number>('performance.now()'))
  await bare.close()
  const api = await openAt('#/api', 'Explain')
  note('load: API', api.time)
  // it reads the schema next, which would be measured with what comes after
  await api.page.waitForLoadState('networkidle')
  await api.page.context().close()
  const { page, time } = await openAt('#/data', '1000 of 1000 tables')
  note('load: data', time)
  for (const [what, text, seen] of searches) note(`search: ${what}`, await taken(page, search(text), has(seen)))
  const table = '#/data/default/table_500'
  note('a table', await taken(page, `location.hash = ${JSON.stringify(table)}`, has('Add a permission')))
  note('what it depends on', await taken(page, `location.hash = '${table}?view=dependencies'`, has('Used by')))
  note(
    'another one’s',
    await taken(page, `location.hash = '#/data/default/table_600?view=dependencies'`, has('table_601')),
  )
  await page.context().close()
}
await browser.close()
await engine.stop()

const shown = (time: number) => `${time.toFixed(0).padStart(6)} ms`
console.log(
  `${tables} tables, ${rounds} rounds, load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`,
)
console.log(`${''.padEnd(28)}   median     most`)
for (const [what, times] of figures) {
  const sorted = times.toSorted((a, b) => a - b)
  console.log(`${what.padEnd(28)}${shown(sorted[rounds >> 1] ?? 0)}${shown(sorted.at(-1) ?? 0)}`)
}
