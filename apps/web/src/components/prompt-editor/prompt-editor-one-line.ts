import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'

/** What browsers do with a text that people read. */
export const PROSE = { spellcheck: 'true', autocapitalize: 'sentences' }
/** And with an address or a key. */
export const NO_PROSE = {
  'aria-multiline': 'false',
  spellcheck: 'false',
  autocapitalize: 'none',
  autocorrect: 'off',
}

const joinsLines = EditorState.transactionFilter.of((transaction) => {
  const { newDoc } = transaction
  if (!transaction.docChanged || newDoc.lines === 1) return transaction
  const ends = Array.from({ length: newDoc.lines - 1 }, (_, index) => newDoc.line(index + 1).to)
  const isAtEnd = (end: number) => newDoc.sliceString(end).trim() === ''
  const changes = ends.map((end) => ({ from: end, to: end + 1, insert: isAtEnd(end) ? '' : ' ' }))
  return [transaction, { changes, sequential: true }]
})

/** As in any field of one line, after the list of names that it may choose from. */
const submits = keymap.of([
  {
    key: 'Enter',
    run(view) {
      view.dom.closest('form')?.requestSubmit()
      return true
    },
  },
])

const theme = EditorView.theme({
  '.cm-scroller': { lineHeight: '20px' },
  '.cm-content': { padding: '5px 0' },
  '.cm-line': { padding: '0 10px' },
  '@media (pointer: coarse)': { '.cm-content': { padding: '12px 0' } },
})

/** It wraps, so that all of a long address is seen. */
export const oneLine: Extension = [joinsLines, submits, Prec.highest(theme)]
