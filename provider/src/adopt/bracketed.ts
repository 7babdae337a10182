const WIDTH = 110

/** Makes a part's text for the indentation of the line it begins in; null: in one line, however long. */
export type Part = (indent: string | null) => string

/** In one line where it fits. */
export function bracketed(brackets: '[]' | '{}', parts: readonly Part[], indent: string | null): string {
  const [open = '', close = ''] = brackets
  if (parts.length === 0) return brackets
  const air = brackets === '{}' ? ' ' : ''
  const line = `${open}${air}${parts.map((part) => part(null)).join(', ')}${air}${close}`
  if (indent === null || fits(line, indent)) return line
  const deeper = `${indent}  `
  return `${open}\n${parts.map((part) => `${deeper}${part(deeper)},\n`).join('')}${indent}${close}`
}

/** Whether a part is one line, and short enough behind that indentation. */
export const fits = (line: string, indent: string) => !line.includes('\n') && indent.length + line.length <= WIDTH
