import { EditorView } from '@codemirror/view'

export const promptEditorTheme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'transparent',
    minHeight: 'inherit',
    maxHeight: 'var(--prompt-editor-max, min(46vh, 480px))',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontSize: '0.78125rem',
    lineHeight: '1.65',
    letterSpacing: '0',
    minHeight: 'inherit',
    borderRadius: 'var(--radius-control)',
  },
  '.cm-content': {
    padding: '10px 0',
    caretColor: 'var(--text)',
    minHeight: 'inherit',
    boxSizing: 'border-box',
  },
  '.cm-line': { padding: '0 12px' },
  '.cm-changed-line': { backgroundColor: 'var(--ok-soft)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-reference': {
    color: 'var(--ref)',
    backgroundColor: 'var(--ref-soft)',
    borderRadius: '4px',
    padding: '1px 3px',
    boxDecorationBreak: 'clone',
  },
  '.cm-ringed': { outline: '1.5px solid var(--accent)', outlineOffset: '1px' },
  '.cm-output': {
    color: 'var(--out)',
    backgroundColor: 'var(--out-soft)',
    borderRadius: '4px',
    padding: '1px 3px',
    boxDecorationBreak: 'clone',
  },
  '.cm-reference-unknown': {
    color: 'var(--warn)',
    textDecoration: 'underline wavy var(--warn) 1px',
    textUnderlineOffset: '4px',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-control)',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--float)',
    overflow: 'hidden',
    zIndex: '60',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-sans)',
    fontSize: '0.8125rem',
    width: '330px',
    maxWidth: '86vw',
    maxHeight: '218px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '9px',
    height: '31px',
    padding: '0 10px',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--accent-text)',
  },
  '@media (pointer: coarse)': {
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { height: '44px' },
  },
  '.cm-completionLabel': {
    flex: '0 1 auto',
    fontWeight: '570',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-completionDetail': {
    flex: '0 1 auto',
    maxWidth: '55%',
    marginLeft: 'auto',
    textAlign: 'right',
    fontStyle: 'normal',
    color: 'inherit',
    opacity: '0.85',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-text)' },
  '.cm-completionIcon': {
    width: '14px',
    height: '14px',
    flex: 'none',
    padding: '0',
    opacity: '1',
    fontSize: '0',
    backgroundColor: 'currentColor',
  },
  '.cm-completionIcon-variable': icon(
    'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7ZM14 2v4a2 2 0 0 0 2 2h4M10 9H8M16 13H8M16 17H8',
  ),
  '.cm-completionIcon-output': icon(
    'M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71',
  ),
  '.cm-completionIcon-create': icon('M5 12h14M12 5v14'),
})

/** An icon's outline as a mask, so that it takes the text's colour. */
function icon(path: string): Record<string, string> {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='black' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'><path d='${path}'/></svg>`
  return { mask: `url("data:image/svg+xml,${encodeURIComponent(svg)}") center / contain no-repeat` }
}
