import { Scrolling } from './scrolling.tsx'

interface Line {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** Lines beyond which two texts are not compared line by line. */
const MOST = 2000
/** Lines that are the same and shown around what differs. */
const AROUND = 3

/** A text as it becomes another: lines that go and come, with some around them. */
export function LineDiff({
  label,
  before,
  after,
}: {
  readonly label: string
  readonly before: string
  readonly after: string
}) {
  const lines = withGaps(lineDiff(before, after))
  return (
    <Scrolling label={label}>
      <pre class="diff">
        {lines.map(({ sign, text }, index) => {
          const shown = `${sign} ${text}\n`
          return sign === '+' ? <ins key={index}>{shown}</ins> : sign === '-' ? <del key={index}>{shown}</del> : shown
        })}
      </pre>
    </Scrolling>
  )
}

/** The shortest list of lines that go and come. */
function lineDiff(before: string, after: string): readonly Line[] {
  const [olds, news] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < olds.length && head < news.length && olds[head] === news[head]) head++
  let tail = 0
  while (tail < olds.length - head && tail < news.length - head && olds.at(-1 - tail) === news.at(-1 - tail)) tail++
  const same = (texts: readonly string[]) => texts.map((text): Line => ({ sign: ' ', text }))
  return [
    ...same(olds.slice(0, head)),
    ...middle(olds.slice(head, olds.length - tail), news.slice(head, news.length - tail)),
    ...same(olds.slice(olds.length - tail)),
  ]
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function middle(olds: readonly string[], news: readonly string[]): readonly Line[] {
  const gone = olds.map((text): Line => ({ sign: '-', text }))
  const come = news.map((text): Line => ({ sign: '+', text }))
  if (olds.length === 0 || news.length === 0 || olds.length > MOST || news.length > MOST) return [...gone, ...come]
  // the length of what is common to what is left of both, from each place on
  const common = Array.from({ length: olds.length + 1 }, () => new Uint16Array(news.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = olds.length - 1; i >= 0; i--)
    for (let j = news.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row) row[j] = olds[i] === news[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < olds.length || j < news.length) {
    const [old, now] = [olds[i], news[j]]
    if (old !== undefined && old === now) {
      lines.push({ sign: ' ', text: old })
      i++
      j++
    } else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: old })
      i++
    } else if (now !== undefined) {
      lines.push({ sign: '+', text: now })
      j++
    }
  }
  return lines
}

/** Long runs of unchanged lines are left out. */
function withGaps(lines: readonly Line[]): readonly Line[] {
  const differs = lines.map(({ sign }) => sign !== ' ')
  const isNear = (index: number) => differs.slice(Math.max(0, index - AROUND), index + AROUND + 1).includes(true)
  return lines.flatMap((line, index): readonly Line[] =>
    isNear(index) ? [line] : isNear(index - 1) || index === 0 ? [{ sign: ' ', text: '…' }] : [],
  )
}
