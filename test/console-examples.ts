/**
 * The examples of a page of documentation: fenced blocks, and in those called `console` what a reader types after `$ `
 * with what is printed. In the output `…` stands for anything in a line, a line `...` for any lines.
 */
export type Block = { readonly language: string; readonly text: string }

export type Example = { readonly command: string; readonly output: string }

export const blocksOf = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))

export function examplesOf(console: string): readonly Example[] {
  return console
    .split(/^\$ /m)
    .slice(1)
    .map((example) => {
      const end = example.indexOf('\n')
      return { command: example.slice(0, end), output: example.slice(end + 1) }
    })
}

/** Matches what a page says is printed. */
export function patternOf(output: string): RegExp {
  const lines = output.split('\n').slice(0, -1)
  const patterns = lines.map((line) =>
    line === '...' ? '(?:.*\\n)*?' : `${line.split('…').map(escapeRegExp).join('.*')}\\n`,
  )
  return new RegExp(`^${patterns.join('')}$`)
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
