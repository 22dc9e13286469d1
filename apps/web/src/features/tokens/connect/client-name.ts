/** Programs that call themselves otherwise than people do. */
const KNOWN: readonly [RegExp, string][] = [
  [/^claude-(code|cli)\b/i, 'Claude Code'],
  [/^codex[-_\w]*/i, 'Codex'],
  [/^cursor[-_\w]*/i, 'Cursor'],
  [/^visual studio code\b/i, 'VS Code'],
  [/^opencode\b/i, 'OpenCode'],
  [/^OpenAI\b/i, 'OpenAI SDK'],
  [/^Anthropic\b/i, 'Anthropic SDK'],
  [/^node$/i, 'A program in Node.js'],
]

export function clientName(said: string): string {
  const text = said.trim()
  if (text === '') return 'Unnamed client'
  const [pattern, name] = KNOWN.find(([pattern]) => pattern.test(text)) ?? []
  return pattern && name !== undefined ? text.replace(pattern, name) : text
}
