import { tokenizeTemplate } from '@catenary/domain'
import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

/** Tells the editor which names exist, in lower case: references don't regard case. */
export const setKnownNames = StateEffect.define<ReadonlySet<string>>()

const knownNames = StateField.define<ReadonlySet<string>>({
  create: () => new Set(),
  update: (names, transaction) =>
    transaction.effects.reduce(
      (current, effect) => (effect.is(setKnownNames) ? effect.value : current),
      names,
    ),
})

const known = Decoration.mark({ class: 'cm-reference' })
const unknown = Decoration.mark({
  class: 'cm-reference-unknown',
  attributes: { title: 'not in the library' },
})

const decorations = ViewPlugin.fromClass(
  class {
    marks: DecorationSet

    constructor(view: EditorView) {
      this.marks = markReferences(view)
    }

    update(update: ViewUpdate) {
      const named = update.startState.field(knownNames) !== update.state.field(knownNames)
      if (update.docChanged || update.viewportChanged || named) this.marks = markReferences(update.view)
    }
  },
  { decorations: (plugin) => plugin.marks },
)

/** Tints references to known names and underlines the others, in what is in view. */
export const references = [knownNames, decorations]

function markReferences(view: EditorView): DecorationSet {
  const names = view.state.field(knownNames)
  const builder = new RangeSetBuilder<Decoration>()
  // A reference never spans lines, and the visible ranges begin and end at lines.
  for (const { from, to } of view.visibleRanges) {
    for (const token of tokenizeTemplate(view.state.sliceDoc(from, to))) {
      if (token.kind === 'text') continue
      builder.add(from + token.start, from + token.end, names.has(token.name.toLowerCase()) ? known : unknown)
    }
  }
  return builder.finish()
}
