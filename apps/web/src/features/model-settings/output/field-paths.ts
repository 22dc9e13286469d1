import type { EditorOutputField } from '../../../components/prompt-editor/prompt-editor-completion.ts'

const PATHS_MAX = 200

type Part = Record<string, unknown>

/** What can be taken from an answer by a schema, in the order of its fields; of a list, its first item. */
export function fieldPaths(schema: Part): EditorOutputField[] {
  const found: EditorOutputField[] = []
  addPaths(found, schema, '')
  return found
}

function addPaths(found: EditorOutputField[], part: Part, above: string): void {
  for (const [name, inner] of Object.entries(partOf(part.properties) ?? {})) {
    const field = partOf(inner)
    if (!field || found.length >= PATHS_MAX) return
    const path = above === '' ? name : `${above}.${name}`
    const items = partOf(field.items)
    const choices = choicesOf(field)
    found.push({
      path,
      type: items ? `list of ${wordOf(items, true)}` : wordOf(field, false),
      ...(choices.length > 0 && { choices }),
    })
    addPaths(found, items ?? field, items ? `${path}[0]` : path)
  }
}

const WORDS: Record<string, [one: string, several: string]> = {
  string: ['text', 'text'],
  number: ['number', 'numbers'],
  integer: ['whole number', 'whole numbers'],
  boolean: ['yes or no', 'yes or no'],
  object: ['group', 'groups'],
  array: ['list', 'lists'],
}

function wordOf({ type }: Part, isSeveral: boolean): string {
  return WORDS[String(Array.isArray(type) ? type[0] : type)]?.[isSeveral ? 1 : 0] ?? 'value'
}

function choicesOf({ enum: values }: Part): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

function partOf(value: unknown): Part | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : undefined
}
