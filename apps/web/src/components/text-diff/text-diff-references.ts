import { tokenizeTemplate } from '@catenary/domain'
import { type Extension, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

const MARKS = {
  variable: Decoration.mark({ class: 'cm-reference' }),
  output: Decoration.mark({ class: 'cm-output' }),
}

const theme = EditorView.theme({
  '.cm-reference': { color: 'var(--ref)', backgroundColor: 'var(--ref-soft)', borderRadius: '4px' },
  '.cm-output': { color: 'var(--out)', backgroundColor: 'var(--out-soft)', borderRadius: '4px' },
})

const decorator = ViewPlugin.fromClass(
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

/** Colours the references of templates, in what is in view; what the comparison tints keeps its ground. */
export const diffReferences: Extension = [decorator, theme]

function decorateReferences({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    for (const token of tokenizeTemplate(state.sliceDoc(from, to), { outputs: true })) {
      if (token.kind !== 'text') builder.add(from + token.start, from + token.end, MARKS[token.kind])
    }
  }
  return builder.finish()
}
