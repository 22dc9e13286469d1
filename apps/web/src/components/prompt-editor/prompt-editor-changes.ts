import { type EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { changedLines } from '../text-diff/line-changes.ts'

/** Tells the editor what the text was; null: its lines are compared with none. */
export const setOriginal = StateEffect.define<string | null>()

const CHANGED = Decoration.line({ class: 'cm-changed-line' })

interface Changes {
  original: string | null
  lines: DecorationSet
}

const NONE: Changes = { original: null, lines: Decoration.none }

const changes = StateField.define<Changes>({
  create: () => NONE,
  update(known, { effects, docChanged, state }) {
    const replaced = effects.find((effect) => effect.is(setOriginal))
    const original = replaced ? replaced.value : known.original
    if (!replaced && !docChanged) return known
    return original === null ? NONE : { original, lines: decorate(state, original) }
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
})

function decorate(state: EditorState, original: string): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const index of changedLines({ before: original, after: state.doc.toString() }).added) {
    const { from } = state.doc.line(index + 1)
    builder.add(from, from, CHANGED)
  }
  return builder.finish()
}

/** Tints the lines that the earlier text did not have. */
export const changedLineTint: Extension = changes
