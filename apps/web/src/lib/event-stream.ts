export interface EventMessage {
  event: string
  data: string
}

interface ParseOptions {
  chunks: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Called for every piece that arrives, comments included. */
  onChunk: () => void
}

/** Reads server-sent events from a reply's body; leaving the loop cancels it. */
export async function* parseEventStream({ chunks, onChunk }: ParseOptions): AsyncGenerator<EventMessage> {
  const reader = chunks.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onChunk()
      pending += decoder.decode(value, { stream: true })
      const blocks = pending.split(/\r?\n\r?\n/)
      pending = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = parseBlock(block)
        if (message) yield message
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseBlock(block: string): EventMessage | null {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (colon > 0 && line.startsWith('event:')) event = value
    if (colon > 0 && line.startsWith('data:')) data.push(value)
  }
  return data.length === 0 ? null : { event, data: data.join('\n') }
}
