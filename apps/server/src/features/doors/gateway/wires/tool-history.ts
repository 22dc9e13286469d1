/** Earlier calls of the caller's own tools, as text: a conversation goes on with a chain, which calls none of them. */

type Fields = Record<string, unknown>

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}))

/** A call as a vendor keeps it: of a function, or by a kind of tool that has a name of its own. */
export function toolCallText(call: unknown): string {
  const {
    function: named,
    type,
    name = type,
    arguments: asked,
    input = asked,
    action = input,
  } = Object(call) as Fields
  if (named !== undefined) return toolCallText(named)
  return `Called the tool ${asText(name ?? 'without a name')} with ${asText(action)}`
}

/** What a tool gave back; of what is no text, the kind. */
export function toolResultText(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content ?? '']
  const texts = parts.map((part: unknown) => {
    const { text, type } = Object(part) as Fields
    if (typeof text === 'string') return text
    return typeof part === 'object' && typeof type === 'string' ? `[${type}]` : asText(part)
  })
  return `The tool answered: ${texts.join('\n')}`
}
