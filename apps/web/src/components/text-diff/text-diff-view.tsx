import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { cspNonce } from '../../lib/utils.ts'
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
export default function TextDiffView({
  before,
  after,
  isTemplate = false,
  isSplit,
  folds,
}: TextDiffViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const open = useEffectEvent((parent: HTMLElement): { destroy: () => void } => {
    const tint = isTemplate ? diffReferences : []
    const folding = folds ? { collapseUnchanged: FOLDED } : {}
    if (!isSplit) {
      const merge = unifiedMergeView({
        original: before.text,
        mergeControls: false,
        allowInlineDiffs: true,
        ...folding,
      })
      const label = `${after.label}, with what it changes in ${before.label}`
      return new EditorView({ parent, doc: after.text, extensions: [readOnly(label), tint, merge] })
    }
    const side = ({ label, text }: typeof before) => ({ doc: text, extensions: [readOnly(label), tint] })
    return new MergeView({ parent, a: side(before), b: side(after), ...folding })
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
