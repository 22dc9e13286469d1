import { tokenizeTemplate } from '@catenary/domain'
import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

export interface KnownNames {
  /** In lower case: references to variables don't regard case. */
  variables: ReadonlySet<string>
  outputs: ReadonlySet<string> | null
  jsonOutputs: ReadonlySet<string>
}

/** The variable whose value is worked on; null: none. */
export const setRingedName = StateEffect.define<string | null>()

const ringedName = StateField.define<string | null>({
  create: () => null,
  update: (name, { effects }) => {
    const change = effects.find((effect) => effect.is(setRingedName))
    return change ? change.value : name
  },
})

export const setKnownNames = StateEffect.define<KnownNames>()

const knownNames = StateField.define<KnownNames>({
  create: () => ({ variables: new Set(), outputs: null, jsonOutputs: new Set() }),
  update: (names, transaction) =>
    transaction.effects.reduce(
      (current, effect) => (effect.is(setKnownNames) ? effect.value : current),
      names,
    ),
})

const MARKS = {
  variable: {
    known: Decoration.mark({ class: 'cm-reference' }),
    unknown: Decoration.mark({
      class: 'cm-reference-unknown',
      attributes: { title: 'not in the library' },
    }),
    ringed: Decoration.mark({ class: 'cm-reference cm-ringed' }),
  },
  output: {
    known: Decoration.mark({ class: 'cm-output' }),
    unknown: Decoration.mark({
      class: 'cm-reference-unknown',
      attributes: { title: 'no earlier step produces it' },
    }),
  },
}

const decorator = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorateReferences(view)
    }

    update(update: ViewUpdate) {
      const { startState, state } = update
      const named =
        startState.field(knownNames) !== state.field(knownNames) ||
        startState.field(ringedName) !== state.field(ringedName)
      if (update.docChanged || update.viewportChanged || named)
        this.decorations = decorateReferences(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

export const references = [knownNames, ringedName, decorator]

function decorateReferences(view: EditorView): DecorationSet {
  const { variables, outputs, jsonOutputs } = view.state.field(knownNames)
  const ringed = view.state.field(ringedName)?.toLowerCase()
  const syntax = { outputs: outputs !== null, jsonOutputs }
  const builder = new RangeSetBuilder<Decoration>()
  // A reference never spans lines, and the visible ranges begin and end at lines.
  for (const { from, to } of view.visibleRanges) {
    for (const token of tokenizeTemplate(view.state.sliceDoc(from, to), syntax)) {
      if (token.kind === 'text') continue
      const { kind, name, start, end } = token
      if (kind === 'variable' && name.toLowerCase() === ringed) {
        builder.add(from + start, from + end, MARKS.variable.ringed)
        continue
      }
      const isKnown = kind === 'variable' ? variables.has(name.toLowerCase()) : outputs?.has(name)
      builder.add(from + start, from + end, MARKS[kind][isKnown ? 'known' : 'unknown'])
    }
  }
  return builder.finish()
}
