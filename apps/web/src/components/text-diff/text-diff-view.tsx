import { tokenizeTemplate } from '@catenary/domain'
import { Change, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { cspNonce } from '../../lib/utils.ts'
import { useReading } from '../reader/use-reading.ts'
import type { TextDiffProps } from './text-diff-props.ts'

/** Removed and added text in the app's own tokens; the removed struck through, so that colour is not the only sign. */
const textDiffTheme = EditorView.theme({
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

const REFERENCE_MARKS = {
  variable: Decoration.mark({ class: 'cm-reference' }),
  output: Decoration.mark({ class: 'cm-output' }),
}
const referenceTheme = EditorView.theme({
  '.cm-reference': { color: 'var(--ref)', backgroundColor: 'var(--ref-soft)', borderRadius: '4px' },
  '.cm-output': { color: 'var(--out)', backgroundColor: 'var(--out-soft)', borderRadius: '4px' },
})
const referenceDecorator = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorateReferences(view)
    }

    update({ view, docChanged, viewportChanged }: ViewUpdate) {
      if (docChanged || viewportChanged) this.decorations = decorateReferences(view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)
const diffReferences: Extension = [referenceDecorator, referenceTheme]

const FOLDED = { margin: 2, minSize: 4 }

export interface TextDiffViewProps extends TextDiffProps {
  isSplit: boolean
  folds: boolean
}

/** CodeMirror's comparison, only to read; loaded when first shown. Mount it by key: it shows what it began with. */
export default function TextDiffView(props: TextDiffViewProps) {
  const [before, after] = [props.before.text, props.after.text]
  const input = useMemo(() => ({ before, after }), [before, after])
  const reading = useReading({ task: 'changes', input, text: after })
  if (!reading)
    return <p className="shown-late prompt-text p-3 whitespace-pre-wrap text-text-2 wrap-anywhere">{after}</p>
  const whole = { fromA: 0, toA: before.length, fromB: 0, toB: after.length }
  return (
    <>
      {reading.kind === 'refused' && (
        <p className="border-b border-line px-3 py-1 text-xs text-text-3">
          The texts are too complex to compare, so everything is marked.
        </p>
      )}
      <Comparison {...props} changes={reading.kind === 'read' ? reading.result : [whole]} />
    </>
  )
}

interface ComparisonProps extends TextDiffViewProps {
  changes: readonly Pick<Change, 'fromA' | 'toA' | 'fromB' | 'toB'>[]
}

function Comparison({ before, after, isTemplate = false, isSplit, folds, changes }: ComparisonProps) {
  const host = useRef<HTMLDivElement>(null)
  const open = useEffectEvent((parent: HTMLElement): { destroy: () => void } => {
    const tint = isTemplate ? diffReferences : []
    const folding = folds ? { collapseUnchanged: FOLDED } : {}
    const found = changes.map(({ fromA, toA, fromB, toB }) => new Change(fromA, toA, fromB, toB))
    const diffConfig = { override: () => found }
    if (!isSplit) {
      const merge = unifiedMergeView({
        original: before.text,
        mergeControls: false,
        allowInlineDiffs: true,
        diffConfig,
        ...folding,
      })
      const label = `${after.label}, compared with ${before.label}`
      return new EditorView({ parent, doc: after.text, extensions: [readOnly(label), tint, merge] })
    }
    const side = ({ label, text }: typeof before) => ({ doc: text, extensions: [readOnly(label), tint] })
    return new MergeView({ parent, a: side(before), b: side(after), diffConfig, ...folding })
  })
  useEffect(() => {
    if (!host.current) return
    const view = open(host.current)
    return () => view.destroy()
  }, [])
  return <div ref={host} />
}

function readOnly(label: string): Extension {
  const nonce = cspNonce()
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
    textDiffTheme,
    nonce ? EditorView.cspNonce.of(nonce) : [],
  ]
}

function decorateReferences({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    for (const token of tokenizeTemplate(state.sliceDoc(from, to), { outputs: true })) {
      if (token.kind !== 'text')
        builder.add(from + token.start, from + token.end, REFERENCE_MARKS[token.kind])
    }
  }
  return builder.finish()
}
