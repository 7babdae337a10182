import {
  autocompletion,
  type CompletionContext,
  type CompletionSource,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { GraphQLSchema } from 'graphql'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { graphqlSupport, updateSchema } from './graphql-support.ts'
import { jsonLanguage } from './languages.ts'

interface Props {
  readonly label: string
  readonly language: 'graphql' | 'json'
  readonly value: string
  /** Null: it is to be read only. */
  readonly change: ((text: string) => void) | null
  readonly schema?: GraphQLSchema | null
  /** What may be written, where no schema says it. */
  readonly complete?: CompletionSource
  /** Ctrl-Enter, with the place of the cursor. */
  readonly run?: (cursor: number) => void
}

/**
 * A text with colours and completion. It stands in a shadow root: there its styles are objects, which a policy without inline
 * styles allows.
 */
export function Editor({ label, language, value, change, schema = null, complete, run }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const calls = useRef({ change, run, complete })
  calls.current = { change, run, complete }

  useLayoutEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const ran = () => {
      calls.current.run?.(editor.state.selection.main.head)
      return true
    }
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          keymap.of([{ key: 'Mod-Enter', run: ran }]),
          change === null ? [EditorState.readOnly.of(true)] : editing,
          language === 'graphql'
            ? graphqlSupport
            : [
                jsonLanguage,
                jsonLanguage.data.of({ autocomplete: (at: CompletionContext) => calls.current.complete?.(at) ?? null }),
              ],
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.change?.(update.state.doc.toString())
          }),
          look,
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [language, label, change === null])

  useLayoutEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useLayoutEffect(() => {
    if (view.current && language === 'graphql') updateSchema(view.current, schema)
  }, [schema, language])

  return <div class="editor" ref={host} />
}

const editing: Extension = [
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  keymap.of([...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
]

/** Colours of the page, which has them for light and dark. */
const look: Extension = [
  EditorView.lineWrapping,
  EditorView.theme({
    '&': { color: 'var(--text)', backgroundColor: 'var(--field)', height: '100%', fontSize: '13px' },
    '.cm-content': { caretColor: 'var(--text)', fontFamily: 'var(--mono)' },
    '.cm-gutters': { backgroundColor: 'var(--field)', color: 'var(--quiet)', border: 'none' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy var(--wrong)' },
    '.cm-lintRange.cm-lintRange-active': { backgroundColor: 'var(--chosen)' },
    '.cm-tooltip': { backgroundColor: 'var(--page)', color: 'var(--text)', border: '1px solid var(--line)' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
    '&.cm-focused': { outline: '2px solid var(--accent)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--chosen) !important' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.definitionKeyword], color: 'var(--keyword)' },
      { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
      { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--number)' },
      { tag: [tags.propertyName, tags.attributeName], color: 'var(--name)' },
      { tag: [tags.variableName, tags.typeName], color: 'var(--keyword)' },
      { tag: tags.comment, color: 'var(--quiet)' },
    ]),
  ),
]
