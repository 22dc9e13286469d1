import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'

export interface EditorVariable {
  name: string
  /** The beginning of its value. */
  preview: string
}

/** Longest peek at a value. */
const PREVIEW_LENGTH = 60
const NAME_MAX = 50

export interface CompleteVariablesOptions {
  context: CompletionContext
  variables: readonly EditorVariable[]
  /** Absent when nothing can be created from here. */
  onCreate: ((name: string) => void) | undefined
}

/** Completes the name after `$<`; a name that does not exist can be created. */
export function completeVariables({
  context,
  variables,
  onCreate,
}: CompleteVariablesOptions): CompletionResult | null {
  const opened = context.matchBefore(/\$<[A-Za-z0-9_]*/)
  if (!opened) return null
  const typed = opened.text.slice(2)
  const wanted = typed.toLowerCase()
  const options: Completion[] = rank({ variables, wanted }).map(({ name, preview }) => ({
    label: name,
    detail: peek(preview),
    type: 'variable',
    apply: insertName,
  }))
  const isKnown = variables.some(({ name }) => name.toLowerCase() === wanted)
  if (onCreate && typed !== '' && typed.length <= NAME_MAX && !isKnown) {
    options.push(creation({ name: typed, onCreate }))
  }
  const getMatch = ({ label, type }: Completion) => {
    const start = type === 'create' ? -1 : label.toLowerCase().indexOf(wanted)
    return start === -1 || typed === '' ? [] : [start, start + typed.length]
  }
  return { from: opened.from + 2, options, filter: false, getMatch }
}

/** Names that begin with what is typed, then those that hold it. */
function rank({ variables, wanted }: { variables: readonly EditorVariable[]; wanted: string }) {
  const matches = variables.filter(({ name }) => name.toLowerCase().includes(wanted))
  const startsSo = ({ name }: EditorVariable) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return matches.toSorted((left, right) => startsSo(left) - startsSo(right))
}

function creation({ name, onCreate }: { name: string; onCreate: (name: string) => void }): Completion {
  return {
    label: name,
    displayLabel: `Create variable “${name}”`,
    type: 'create',
    apply: (view, completion, from, to) => {
      insertName(view, completion, from, to)
      onCreate(name)
    },
  }
}

/** Puts the name in and closes the reference, once. */
function insertName(view: EditorView, completion: Completion, from: number, to: number): void {
  // What follows may be the rest of the name that the cursor stands in.
  const tail = /^[A-Za-z0-9_]*>/.exec(view.state.sliceDoc(to, to + NAME_MAX + 1))?.[0] ?? ''
  const insert = `${completion.label}>`
  view.dispatch({
    changes: { from, to: to + tail.length, insert },
    selection: { anchor: from + insert.length },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
  })
}

function peek(text: string): string {
  const line = text
    .slice(0, 4 * PREVIEW_LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > PREVIEW_LENGTH ? `${line.slice(0, PREVIEW_LENGTH)}…` : line
}
