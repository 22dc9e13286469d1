import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { truncate } from '../../lib/text/truncate.ts'

export interface EditorVariable {
  name: string
  preview: string
}

const PREVIEW_LENGTH = 60
const NAME_MAX = 50

export interface EditorOutput {
  name: string
  origin: string
  /** Of an output in JSON: what of it can be taken, as `items[0].title`. */
  fields?: readonly EditorOutputField[]
}

export interface EditorOutputField {
  path: string
  type: string
  /** What it can be, where its schema lists that. */
  choices?: readonly string[]
}

export interface CompleteVariablesOptions {
  context: CompletionContext
  variables: readonly EditorVariable[]
  onCreate: ((name: string) => void) | undefined
}

/** Keeps the list in step with the text: while it waits for its next answer it would take neither Enter nor a click. */
export function updatedWithText(complete: (context: CompletionContext) => CompletionResult | null) {
  const source = (context: CompletionContext): CompletionResult | null => {
    const result = complete(context)
    return result && { ...result, update: (_result, _from, _to, context) => source(context) }
  }
  return source
}

export function completeVariables({
  context,
  variables,
  onCreate,
}: CompleteVariablesOptions): CompletionResult | null {
  const opened = context.matchBefore(/\$<[A-Za-z0-9_]*/)
  if (!opened) return null
  const typed = opened.text.slice(2)
  const wanted = typed.toLowerCase()
  const options: Completion[] = rank({ items: variables, wanted }).map(({ name, preview }) => ({
    label: name,
    detail: truncate({ text: preview, max: PREVIEW_LENGTH }),
    type: 'variable',
    apply: insertVariable,
  }))
  const isKnown = variables.some(({ name }) => name.toLowerCase() === wanted)
  if (onCreate && typed !== '' && typed.length <= NAME_MAX && !isKnown) {
    options.push(creation({ name: typed, onCreate }))
  }
  return { from: opened.from + 2, options, filter: false, getMatch: matchOf(wanted) }
}

export function completeOutputs({
  context,
  outputs,
}: {
  context: CompletionContext
  outputs: readonly EditorOutput[]
}): CompletionResult | null {
  const opened = context.matchBefore(/\{\{[A-Za-z0-9_]*([.[][A-Za-z0-9_.[\]]*)?/)
  if (!opened) return null
  const [name = ''] = opened.text.slice(2).split(/[.[]/, 1)
  const path = opened.text.slice(2 + name.length)
  if (path !== '') {
    const typed = path.replace(/^\./, '')
    return completeFields({ from: opened.from + opened.text.length - typed.length, typed, name, outputs })
  }
  const wanted = name.toLowerCase()
  const options: Completion[] = rank({ items: outputs, wanted }).map(({ name, origin }) => ({
    label: name,
    detail: origin,
    type: 'output',
    apply: insertOutput,
  }))
  return { from: opened.from + 2, options, filter: false, getMatch: matchOf(wanted) }
}

interface CompleteFieldsOptions {
  from: number
  typed: string
  name: string
  outputs: readonly EditorOutput[]
}

function completeFields({ from, typed, name, outputs }: CompleteFieldsOptions): CompletionResult | null {
  const fields = outputs.find((output) => output.name === name)?.fields
  if (!fields) return null
  const wanted = typed.toLowerCase()
  const isList = typed.startsWith('[')
  const items = fields.flatMap(({ path, type }) =>
    path.startsWith('[') === isList ? [{ name: path, type }] : [],
  )
  const options: Completion[] = rank({ items, wanted }).map(({ name, type }) => ({
    label: name,
    detail: type,
    type: 'output',
    apply: insertOutput,
  }))
  return { from, options, filter: false, getMatch: matchOf(wanted) }
}

function matchOf(wanted: string) {
  return ({ label, type }: Completion) => {
    const start = type === 'create' ? -1 : label.toLowerCase().indexOf(wanted)
    return start === -1 || wanted === '' ? [] : [start, start + wanted.length]
  }
}

function rank<Item extends { name: string }>({ items, wanted }: { items: readonly Item[]; wanted: string }) {
  const matches = items.filter(({ name }) => name.toLowerCase().includes(wanted))
  const prefixRank = ({ name }: Item) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return matches.toSorted((left, right) => prefixRank(left) - prefixRank(right))
}

function creation({ name, onCreate }: { name: string; onCreate: (name: string) => void }): Completion {
  return {
    label: name,
    displayLabel: `Create variable “${name}”`,
    type: 'create',
    apply: (view, completion, from, to) => {
      insertVariable(view, completion, from, to)
      onCreate(name)
    },
  }
}

const insertVariable = insertName({ closing: '>', rest: /^[A-Za-z0-9_]*>/ })
const insertOutput = insertName({ closing: '}}', rest: /^[A-Za-z0-9_.[\]]*\}\}/ })

function insertName({ closing, rest }: { closing: string; rest: RegExp }) {
  return (view: EditorView, completion: Completion, from: number, to: number): void => {
    // What follows may be the rest of the name that the cursor stands in.
    const tail = rest.exec(view.state.sliceDoc(to, to + NAME_MAX + closing.length))?.[0] ?? ''
    const insert = completion.label + closing
    view.dispatch({
      changes: { from, to: to + tail.length, insert },
      selection: { anchor: from + insert.length },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
    })
  }
}
