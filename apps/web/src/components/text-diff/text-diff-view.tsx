import { Change, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { cspNonce } from '../../lib/utils.ts'
import { useReading } from '../reader/use-reading.ts'
import type { TextDiffProps } from './text-diff-props.ts'
import { diffReferences } from './text-diff-references.ts'
import { textDiffTheme } from './text-diff-theme.ts'

/** Lines kept around a change, and how many more there must be to fold them. */
const FOLDED = { margin: 2, minSize: 4 }

export interface TextDiffViewProps extends TextDiffProps {
  isSplit: boolean
  /** Leaves out long stretches without a change. */
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
          The texts are too complex to compare: all is marked.
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
      const label = `${after.label}, with what it changes in ${before.label}`
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
