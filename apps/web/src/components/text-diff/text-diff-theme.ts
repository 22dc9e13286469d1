import { EditorView } from '@codemirror/view'

/** Removed and added text in the app's own tokens; the removed struck through, so that colour is not the only sign. */
export const textDiffTheme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontSize: '0.78125rem',
    lineHeight: '1.65',
    letterSpacing: '0',
  },
  '.cm-content': { padding: '8px 0' },
  '.cm-content:focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '-2px',
  },
  '.cm-line, .cm-deletedChunk': { padding: '0 10px' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--danger-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--ok-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, &.cm-merge-b .cm-deletedText': {
    background: 'color-mix(in oklch, var(--danger) 20%, transparent)',
    textDecoration: 'line-through var(--danger)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in oklch, var(--ok) 24%, transparent)',
  },
  '.cm-collapsedLines': {
    padding: '3px 10px',
    color: 'var(--text-3)',
    background: 'var(--inset)',
    fontFamily: 'var(--font-sans)',
    fontSize: '0.78125rem',
    '&:before, &:after': { content: 'none' },
  },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--danger)' },
  '&.cm-merge-b .cm-changedLineGutter, .cm-inlineChangedLineGutter': { background: 'var(--ok)' },
})
