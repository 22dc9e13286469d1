import {
  autocompletion,
  type CompletionContext,
  closeCompletion,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  Compartment,
  EditorState,
  type Extension,
  Prec,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  tooltips,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isComposedEnter, isEscape } from '../../lib/keyboard/pressed.ts'
import { cspNonce } from '../../lib/utils.ts'
import { changedLines } from '../text-diff/line-changes.ts'
import { completeOutputs, completeVariables, updatedWithText } from './prompt-editor-completion.ts'
import { NO_PROSE, oneLine, PROSE } from './prompt-editor-one-line.ts'
import type { PromptEditorProps } from './prompt-editor-props.ts'
import { references, setKnownNames, setRingedName } from './prompt-editor-references.ts'
import { promptEditorTheme } from './prompt-editor-theme.ts'

const directedLine = Decoration.line({ attributes: { dir: 'auto' } })
const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.define(
    (view) => ({
      lines: linesInView(view),
      update({ docChanged, viewportChanged, view }: ViewUpdate) {
        if (docChanged || viewportChanged) this.lines = linesInView(view)
      },
    }),
    { decorations: ({ lines }) => lines },
  ),
]

const setOriginal = StateEffect.define<string | null>()
const CHANGED_LINE = Decoration.line({ class: 'cm-changed-line' })
const NOTHING_CHANGED: ChangedLines = { original: null, lines: Decoration.none }
const changedLineTint = StateField.define<ChangedLines>({
  create: () => NOTHING_CHANGED,
  update(known, { effects, docChanged, state }) {
    const replaced = effects.find((effect) => effect.is(setOriginal))
    const original = replaced ? replaced.value : known.original
    if (!replaced && !docChanged) return known
    return original === null ? NOTHING_CHANGED : { original, lines: tintChanged(state, original) }
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
})

const DIALOG_PADDING = 20

export interface PromptEditorViewProps extends Omit<PromptEditorProps, 'className'> {
  id: string | undefined
  describedBy: string | undefined
  invalid: boolean
}

export default function PromptEditorView(props: PromptEditorViewProps) {
  const {
    value,
    variables,
    outputs,
    id,
    describedBy,
    invalid,
    label,
    original,
    ringed = null,
    readOnly = false,
    isOneLine = false,
  } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const attributes = useRef(new Compartment())

  const onChange = useEffectEvent(props.onChange)
  const onBlur = useEffectEvent(() => props.onBlur?.())
  const complete = useEffectEvent(
    (context: CompletionContext) =>
      completeVariables({ context, variables, onCreate: props.onCreateVariable }) ??
      (outputs ? completeOutputs({ context, outputs }) : null),
  )
  const initialText = useEffectEvent(() => value)
  const lines = useEffectEvent(() => [
    isOneLine ? oneLine : [],
    props.placeholder === undefined ? [] : placeholder(props.placeholder),
  ])

  useEffect(() => {
    if (!host.current) return
    const editor = new EditorView({
      parent: host.current,
      doc: initialText(),
      extensions: [
        lines(),
        baseExtensions(host.current),
        autocompletion({ override: [updatedWithText((context) => complete(context))] }),
        EditorView.domEventHandlers({ blur: () => onBlur() }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
        attributes.current.of([]),
      ],
    })
    const releaseEscape = keepEscape(editor)
    view.current = editor
    return () => {
      releaseEscape()
      editor.destroy()
      view.current = null
    }
  }, [])

  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => view.current?.dispatch({ effects: setRingedName.of(ringed) }), [ringed])

  useEffect(() => {
    const names = {
      variables: new Set(variables.map(({ name }) => name.toLowerCase())),
      outputs: outputs ? new Set(outputs.map(({ name }) => name)) : null,
      jsonOutputs: new Set(outputs?.flatMap(({ name, fields }) => (fields ? [name] : []))),
    }
    view.current?.dispatch({ effects: setKnownNames.of(names) })
  }, [variables, outputs])

  useEffect(() => {
    view.current?.dispatch({ effects: setOriginal.of(original ?? null) })
  }, [original])

  useEffect(() => {
    const extension: Extension = [
      EditorState.readOnly.of(readOnly),
      EditorView.contentAttributes.of({
        'aria-label': label,
        ...(id ? { id } : {}),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        ...(invalid ? { 'aria-invalid': 'true' } : {}),
        ...(readOnly ? { 'aria-readonly': 'true' } : {}),
        ...(isOneLine ? NO_PROSE : PROSE),
        tabindex: '0',
      }),
    ]
    view.current?.dispatch({ effects: attributes.current.reconfigure(extension) })
  }, [id, describedBy, invalid, label, readOnly, isOneLine])

  return <div ref={host} className="min-h-[inherit]" />
}

function baseExtensions(host: HTMLElement): Extension {
  // Inside a dialog the list of completions must be part of it, or it could not be clicked.
  const dialog = host.closest<HTMLElement>('[role="dialog"]')
  const nonce = cspNonce()
  return [
    history(),
    keepCompositionsEnter,
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    lineDirections,
    references,
    changedLineTint,
    promptEditorTheme,
    nonce ? EditorView.cspNonce.of(nonce) : [],
    dialog
      ? tooltips({
          parent: dialog,
          position: 'absolute',
          tooltipSpace: () => inset(dialog.getBoundingClientRect()),
        })
      : [],
  ]
}

/** That Enter neither chooses a name from the list nor begins a line. */
const keepCompositionsEnter = Prec.highest(EditorView.domEventHandlers({ keydown: isComposedEnter }))

function inset({ top, right, bottom, left }: DOMRect) {
  return { top, right: right - DIALOG_PADDING, bottom, left: left + DIALOG_PADDING }
}

/** Escape closes the completions first; a dialog around listens on the document and would be faster. */
function keepEscape(editor: EditorView): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isInside = event.target instanceof Node && editor.dom.contains(event.target)
    if (!isEscape(event) || !isInside || completionStatus(editor.state) !== 'active') return
    event.stopPropagation()
    closeCompletion(editor)
  }
  window.addEventListener('keydown', onKeyDown, { capture: true })
  return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
}

interface ChangedLines {
  original: string | null
  lines: DecorationSet
}

function tintChanged(state: EditorState, original: string): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const index of changedLines({ before: original, after: state.doc.toString() }).added) {
    const { from } = state.doc.line(index + 1)
    builder.add(from, from, CHANGED_LINE)
  }
  return builder.finish()
}

function linesInView({ visibleRanges, state }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const { from: start, to: end } = state.doc.lineAt(at)
      lines.add(start, start, directedLine)
      at = end + 1
    }
  }
  return lines.finish()
}
