import { type Extension, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

const line = Decoration.line({ attributes: { dir: 'auto' } })

/** Each line has the direction of its own writing. */
export const lineDirections: Extension = [
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

function linesInView({ visibleRanges, state }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const { from: start, to: end } = state.doc.lineAt(at)
      lines.add(start, start, line)
      at = end + 1
    }
  }
  return lines.finish()
}
