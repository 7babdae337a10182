/**
 * `npm run bench -- paired --base=DIRECTORY [--rounds=9] [--runs=graphql,mutations,metadata,provider] [--limit=5]`:
 * this checkout against another one, an older commit with its packages installed, in paired rounds of one run. In each round both run
 * the same benchmark, each its own copy of it, one after the other, and who goes first changes. Shown is, for each figure
 * of the tables that they print, the median of the rounds and of the rounds' ratios; what is worse by more than the limit
 * in per cent is marked.
 */
import { spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

function partOfGraphql(part: string): (effort: string | undefined) => readonly string[] {
  return (effort) => ['graphql', part, '--rounds=1', `--ms=${effort ?? '1500'}`]
}

/** Arguments of one round. The bare server is measured with the engine: its ratio says how even the machine was. */
const benchmarks: Readonly<Record<string, (effort: string | undefined) => readonly string[]>> = {
  graphql: partOfGraphql('queries'),
  mutations: partOfGraphql('mutations'),
  insert: partOfGraphql('insert'),
  update: partOfGraphql('update'),
  'nested-insert': partOfGraphql('nested-insert'),
  metadata: (effort) => ['metadata', effort ?? '40'],
  provider: (effort) => ['provider', effort ?? '1000', '1'],
}

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    runs: { type: 'string', default: 'graphql,mutations,metadata,provider' },
    limit: { type: 'string', default: '5' },
    /** Of one benchmark in one round: milliseconds a measurement, rounds of metadata, resources of a stack. */
    effort: { type: 'string' },
  },
})
if (values.base === undefined) throw new Error('--base=DIRECTORY: a checkout of the commit to compare with')
const directories = { base: resolve(values.base), now: process.cwd() } as const

type Figures = ReadonlyMap<string, number>

/** What a benchmark prints as tables: a number by its row's texts and its column. */
function figuresIn(output: string): Figures {
  const figures = new Map<string, number>()
  let columns: readonly string[] = []
  for (const line of output.split('\n')) {
    if (!line.startsWith('│')) continue
    const cells = line
      .split('│')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (cells[0] === '(index)') {
      columns = cells
      continue
    }
    const plain = cells.map((cell) => cell.replace(/^'(.*)'$/, '$1'))
    const isLabel = (cell: string, i: number) => columns[i] === 'concurrency' || Number.isNaN(Number(cell))
    const label = plain.filter((cell, i) => i > 0 && isLabel(cell, i)).join(' ')
    for (const [i, cell] of plain.entries())
      if (i > 0 && cell !== '' && !isLabel(cell, i)) figures.set(`${label}: ${columns[i] ?? ''}`, Number(cell))
  }
  return figures
}

async function runIn(directory: string, args: readonly string[]): Promise<Figures> {
  const child = spawn('npm', ['run', '--silent', 'bench', '--', ...args], {
    cwd: directory,
    env: { ...process.env, SVC_BENCH_ALONE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  const figures = figuresIn(output)
  if (code !== 0 || figures.size === 0)
    throw new Error(`bench ${args.join(' ')} in ${directory} failed (${code}):\n${output.slice(-2000)}`)
  return figures
}

/** Rates and shares of a limit are better when larger; times, memory and processor time when smaller. */
const isLargerBetter = (name: string): boolean => /\/s$|of the limit$|of PostGraphile$/.test(name)

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

const limit = Number(values.limit) / 100
let worse = 0
for (const name of values.runs.split(',')) {
  const args = benchmarks[name]?.(values.effort)
  if (!args) throw new Error(`no benchmark is called ${name}: ${Object.keys(benchmarks).join(', ')}`)
  const rounds: { readonly base: Figures; readonly now: Figures }[] = []
  console.log(`\n${args.join(' ')}: ${values.rounds} rounds, load before ${loadavg()[0]?.toFixed(1)}`)
  for (let round = 0; round < Number(values.rounds); round++) {
    const first = round % 2 === 0 ? 'base' : 'now'
    const second = first === 'base' ? 'now' : 'base'
    const found = { [first]: await runIn(directories[first], args), [second]: await runIn(directories[second], args) }
    const { base, now } = found
    if (base && now) rounds.push({ base, now })
  }
  const figures = [...(rounds[0]?.now.keys() ?? [])].filter((figure) => rounds[0]?.base.has(figure))
  console.table(
    figures.map((figure) => {
      const pairs = rounds.map(({ base, now }) => ({ base: base.get(figure) ?? 0, now: now.get(figure) ?? 0 }))
      const ratio = median(pairs.map(({ base, now }) => now / base))
      const isWorse = isLargerBetter(figure) ? ratio < 1 - limit : ratio > 1 + limit
      // the bare server is no product of either checkout
      const counts = isWorse && !figure.includes('limit /s') && !figure.includes('limit µs')
      if (counts) worse++
      return {
        figure,
        base: median(pairs.map(({ base }) => base)),
        now: median(pairs.map(({ now }) => now)),
        'now / base': ratio.toFixed(3),
        worse: counts ? 'WORSE' : '',
      }
    }),
  )
}
console.log(worse === 0 ? `\nnothing is worse by more than ${values.limit} %` : `\n${worse} figures are worse`)
process.exitCode = worse === 0 ? 0 : 1
