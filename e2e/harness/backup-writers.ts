import type { Prompt } from '@catenary/contracts'
import { openDatabase } from '../../apps/server/src/database/open/client.ts'
import type { Api } from './api.ts'

/** The content of each prompt that was saved and answered, by its id. */
export type Answered = Map<number, string>

interface WritersOptions {
  api: Api
  count: number
  /** What was answered is added to it. */
  answered: Answered
  /** When an answer was asked for, as `performance.now()`, and how many milliseconds it took. */
  onAnswer?: (asked: { at: number; ms: number }) => void
}

/** So many people who save one prompt after the other; `stop` ends them and throws for a refusal. One who gets no answer ends. */
export function startWriters({ api, count, answered, onAnswer = () => {} }: WritersOptions) {
  const ended = new AbortController()
  const write = async (writer: number) => {
    for (let round = 0; !ended.signal.aborted; round += 1) {
      const content = `written by ${writer} in round ${round}`
      const at = performance.now()
      const body = { title: `${writer}.${round}`, content, categoryId: 1 }
      const reply = await api.call('POST', '/api/prompts', body).catch(() => undefined)
      if (reply === undefined) return
      if (reply.status !== 201) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
      onAnswer({ at, ms: performance.now() - at })
      answered.set((reply.body as Prompt).id, content)
    }
  }
  const writing = Promise.allSettled(Array.from({ length: count }, (_, writer) => write(writer)))
  return {
    async stop(): Promise<void> {
      ended.abort()
      for (const ending of await writing) if (ending.status === 'rejected') throw ending.reason
    },
  }
}

/** The prompts of a database that nobody serves. Throws for one without its version, which is written with it. */
export async function readPrompts(place: { dataDir: string; databaseUrl?: string }): Promise<Answered> {
  const database = await openDatabase({ ...place, fsync: false })
  try {
    const { rows } = await database.pool.query(`
      select p.id, p.content, v.content is not distinct from p.content as whole
      from prompts p left join prompt_versions v on v.prompt_id = p.id and v.number = 1`)
    const half = rows.find(({ whole }) => !whole)
    if (half !== undefined) throw new Error(`Half of prompt ${half.id} is there`)
    return new Map(rows.map(({ id, content }) => [id, content]))
  } finally {
    await database.close()
  }
}

/** Ids of what was answered and is not there as it was answered. */
export const findLost = (answered: Answered, found: Answered): number[] =>
  [...answered].filter(([id, content]) => found.get(id) !== content).map(([id]) => id)
