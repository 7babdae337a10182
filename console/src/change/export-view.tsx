import { useState } from 'preact/hooks'
import { LineDiff } from '../show/line-diff.tsx'
import { Prose } from '../show/prose.tsx'
import { Scrolling } from '../show/scrolling.tsx'
import type { Export, ExportedFile } from './exports.ts'

/** Files to copy or to download. */
export function ExportView({ shown, removed }: { readonly shown: Export; readonly removed: readonly string[] }) {
  const isTool = shown.id.startsWith('pulumi') || shown.id === 'terraform'
  return (
    <>
      <p class="quiet">
        <Prose text={shown.advice} />
      </p>
      {isTool && removed.length > 0 && <p>Delete from the program: {removed.join(', ')}.</p>}
      {shown.files.length === 0 && <p class="quiet">There is nothing to write.</p>}
      {shown.files.map((file) => (
        <FileView key={file.name} file={file} />
      ))}
    </>
  )
}

function FileView({ file: { name, text, before } }: { readonly file: ExportedFile }) {
  const [copied, note] = useState(false)
  return (
    <section class="file" aria-label={`File ${name}`}>
      <header>
        <code>{name}</code>
        {text === null ? (
          <span class="wrong">to be removed</span>
        ) : (
          <>
            <button
              type="button"
              aria-label={`Copy ${name}`}
              onClick={() => navigator.clipboard.writeText(text).then(() => note(true))}
            >
              {copied ? 'Copied' : 'Copy'}
            </button>
            <a
              class="button"
              download={name.split('/').at(-1)}
              href={addressOfText(text)}
              aria-label={`Download ${name}`}
            >
              Download
            </a>
          </>
        )}
      </header>
      {before !== null ? (
        <LineDiff label={`Changes of ${name}`} before={before} after={text ?? ''} />
      ) : (
        <Scrolling label={`Text of ${name}`}>
          <pre>{text}</pre>
        </Scrolling>
      )}
    </section>
  )
}

const addressOfText = (text: string) => `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
