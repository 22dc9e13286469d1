import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { cspNonce } from '../lib/utils.ts'
import type { TextDiffProps } from './text-diff.tsx'
import { textDiffTheme } from './text-diff-theme.ts'

/** CodeMirror's comparison, only to read; loaded when first shown. Mount it by key: it shows what it began with. */
export default function TextDiffView({ before, after, isSplit }: TextDiffProps & { isSplit: boolean }) {
  const host = useRef<HTMLDivElement>(null)
  const open = useEffectEvent((parent: HTMLElement): { destroy: () => void } => {
    if (!isSplit) {
      const merge = unifiedMergeView({ original: before.text, mergeControls: false, allowInlineDiffs: true })
      const label = `${after.label}, with what it changes in ${before.label}`
      return new EditorView({ parent, doc: after.text, extensions: [readOnly(label), merge] })
    }
    const side = ({ label, text }: typeof before) => ({ doc: text, extensions: readOnly(label) })
    return new MergeView({ parent, a: side(before), b: side(after) })
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
