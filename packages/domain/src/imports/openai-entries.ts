import { type Fields, isFields } from '../promptfoo/draft.ts'
import { textOf, within } from './draft.ts'

const ALIAS = /^pmpt_[0-9A-Za-z_-]{1,123}$/
const WRAPPERS = ['data', 'prompts', 'items', 'results']
export const MESSAGES = ['messages', 'input', 'template']

export function findOpenAi(root: unknown): Found | undefined {
  const found: Found = { entries: [], strange: [], beside: [] }
  collect(root, '', found)
  return found.entries.some(({ fields }) => isPromptObject(fields)) ? found : undefined
}

interface Placed {
  at: string
  fields: Fields
}

export interface Found {
  entries: Placed[]
  strange: { at: string; value: unknown }[]
  beside: Placed[]
}

function collect(root: unknown, at: string, found: Found): void {
  if (Array.isArray(root)) {
    for (const [index, each] of root.entries()) collect(each, within(at, `[${index}]`), found)
    return
  }
  if (!isFields(root)) {
    found.strange.push({ at, value: root })
    return
  }
  const wrapper = WRAPPERS.find((name) => Array.isArray(root[name]))
  if (wrapper === undefined || isPromptObject(root)) {
    found.entries.push({ at, fields: root })
    return
  }
  const { [wrapper]: list, ...beside } = root
  found.beside.push({ at, fields: beside })
  collect(list, within(at, wrapper), found)
}

function isPromptObject(fields: Fields): boolean {
  if (idOf(fields) !== undefined) return true
  if (fields.object === 'response' || fields.object === 'prompt') return true
  const isCall =
    MESSAGES.some((name) => Array.isArray(fields[name])) || textOf(fields.instructions) !== undefined
  return isCall && typeof fields.model === 'string'
}

export function idOf({ id, prompt_id: promptId, prompt }: Fields): string | undefined {
  const inner = isFields(prompt) ? [prompt.id, prompt.prompt_id] : []
  return [id, promptId, ...inner].find((each): each is string => typeof each === 'string' && ALIAS.test(each))
}
