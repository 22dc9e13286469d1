import type { PromptSettings, Turn } from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'

/** Arguments that a client is told of. */
const ARGUMENTS_MAX = 50

interface VersionTexts {
  content: string
  settings: PromptSettings | null
}

/** All texts of a version, in the order in which a model is sent them; the system prompt stands before the first of a user. */
export function turnsOf({ content, settings }: VersionTexts): Turn[] {
  const turns: Turn[] = [...(settings?.messages ?? []), { role: 'user', content }]
  const system = settings?.systemPrompt ?? ''
  if (system === '') return turns
  const [first, ...rest] = turns
  return first?.role === 'user'
    ? [{ role: 'user', content: `${system}\n\n${first.content}` }, ...rest]
    : [{ role: 'user', content: system }, ...turns]
}

/** The names that the texts refer to, each once whatever its case, in order of appearance. */
export function namesIn(turns: readonly Turn[]): string[] {
  const names = new Map<string, string>()
  for (const { content } of turns) {
    for (const name of extractVariables(content)) {
      const key = name.toLowerCase()
      if (!names.has(key)) names.set(key, name)
      if (names.size === ARGUMENTS_MAX) return [...names.values()]
    }
  }
  return [...names.values()]
}
