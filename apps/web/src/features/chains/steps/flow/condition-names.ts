import type {
  EditorOutput,
  EditorVariable,
} from '../../../../components/prompt-editor/prompt-editor-completion.ts'
import { truncate } from '../../../../lib/text/truncate.ts'

/** What a condition may look at. */
export interface ConditionName {
  value: string
  hint: string
  /** What it can be, where that is known. */
  choices: readonly string[]
}

const PREVIEW_LENGTH = 40

/** Earlier outputs with their fields, the input, and variables: an output goes before a variable of its name. */
export function conditionNames({
  outputs,
  variables,
}: {
  outputs: readonly EditorOutput[]
  variables: readonly EditorVariable[]
}): ConditionName[] {
  const made = outputs.flatMap(({ name, origin, fields = [] }) => [
    { value: name, hint: origin, choices: [] },
    ...fields.map(({ path, type, choices = [] }) => ({ value: fieldName(name, path), hint: type, choices })),
  ])
  const taken = new Set(made.map(({ value }) => value))
  return [
    ...made.filter(({ value }) => value !== ''),
    ...variables
      .filter(({ name }) => !taken.has(name))
      .map(({ name, preview }) => ({
        value: name,
        hint: truncate({ text: preview, max: PREVIEW_LENGTH }),
        choices: [],
      })),
  ]
}

const LIST = /^list of /

/** What a loop may go through, lists first: a text may be a list too, by its lines. */
export function listNames(from: Parameters<typeof conditionNames>[0]): ConditionName[] {
  const rankOf = ({ hint }: ConditionName) => (LIST.test(hint) ? 0 : 1)
  return conditionNames(from).toSorted((left, right) => rankOf(left) - rankOf(right))
}

const fieldName = (name: string, path: string) => (path.startsWith('[') ? name + path : `${name}.${path}`)

/** A name as it is typed or pasted, without the marks that it has in a text. */
export function plainName(typed: string): string {
  return typed.replace(/^\s*(?:\{\{|\$<)/, '').replace(/(?:\}\}|>)\s*$/, '')
}
