import type { TestUser } from './harness.ts'

export interface Watched {
  event: string
  data: Record<string, unknown>
}

/** The stream of a run that is read as it comes. */
export class Watcher {
  readonly events: Watched[] = []
  readonly #leave = new AbortController()
  readonly done: Promise<void>

  constructor(url: string, as: Pick<TestUser, 'headers'>) {
    this.done = this.#read(url, as).catch(() => undefined)
  }

  /** All text of a step, put together as a client does. */
  text(position: number): string {
    let text = ''
    for (const { event, data } of this.events)
      if (event === 'delta' && data.position === position) text = text.slice(0, Number(data.from)) + data.text
    return text
  }

  leave(): Promise<void> {
    this.#leave.abort()
    return this.done
  }

  async #read(url: string, as: Pick<TestUser, 'headers'>): Promise<void> {
    const reply = await fetch(url, { headers: as.headers, signal: this.#leave.signal })
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
        if (event !== undefined && data !== undefined) this.events.push({ event, data: JSON.parse(data) })
      }
    }
  }
}
