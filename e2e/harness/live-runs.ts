import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain, StartedRun } from '@catenary/contracts'
import { startFakeProvider } from '../../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './api.ts'
import { seedAccount } from './seed.ts'

/** How often a model says a piece, unless a run is told otherwise. */
const PIECE_MS = 500
/** What a model says in half a second: some twenty tokens. */
const PIECE = 'so many words as a model says in half a second, and then a few more'

/** A run under way, and when each piece of its text was written and read. */
export interface LiveRun {
  id: number
  text: string
  /** Where each piece ends in the text. */
  ends: number[]
  /** How often the model writes one. */
  pieceMs: number
  /** When the model wrote each piece. */
  writtenAt: number[]
  /** Resolves once the model was asked for it, which says nothing yet. */
  asked: PromiseWithResolvers<void>
}

/** Someone who follows a run by its stream. */
export interface Follower {
  /** What the stream said, as it came. */
  sent: string
  /** The same, put together as a client does. */
  text: string
  /** When each piece was read whole. */
  readAt: number[]
  /** The status that the stream ended with; undefined where it broke off. */
  ended: Promise<string | undefined>
  leave(): void
}

/** A model that writes many texts at once, and runs of it that are followed. */
export async function startLiveRuns() {
  const provider = await startFakeProvider({ vendor: 'openai' })
  const runs = new Map<string, LiveRun>()
  let opened = Promise.withResolvers<void>()
  let named = 0
  let chainId = 0
  let cookie = ''

  provider.replyByDefault(({ body }) => {
    const name = (body.messages as { content: string }[]).at(-1)?.content ?? ''
    const run = runs.get(name)
    if (run === undefined) return { text: '' }
    run.asked.resolve()
    const gate = opened.promise
    const pieces = run.ends.map((end, index) => run.text.slice(run.ends[index - 1] ?? 0, end))
    return {
      text: pieces,
      before: async (index) => {
        if (index === 0) await gate.then(() => sleep(Math.random() * run.pieceMs))
        else await sleep(run.pieceMs)
        run.writtenAt[index] = performance.now()
      },
    }
  })

  return {
    env: {
      OPENAI_API_KEY: 'scale',
      OPENAI_BASE_URL: provider.url,
      RUNS_PER_MINUTE: '1000000',
      MODEL_SILENCE_SECONDS: '600',
      QUOTAS: '{"writes": 1000000, "reads": 1000000, "streams": 10000}',
    },

    async prepare(url: string): Promise<Api> {
      const api = createApi(url)
      await api.post('/api/register', seedAccount)
      chainId = (await api.post<Chain>('/api/chains', { name: 'Live' })).id
      const step = { content: '{{input}}', outputVariableName: 'answer', position: 0 }
      await api.post(`/api/chains/${chainId}/steps`, step)
      cookie = api
        .cookies()
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')
      return api
    },

    /** Starts a run in the process at `url`, whose model says nothing yet. */
    async start(
      url: string,
      { pieces, pieceMs = PIECE_MS }: { pieces: number; pieceMs?: number },
    ): Promise<LiveRun> {
      named += 1
      const input = `run-${named}`
      const texts = Array.from({ length: pieces }, (_, index) => `${input} ${index} ${PIECE}. `)
      const ends: number[] = []
      for (const text of texts) ends.push((ends.at(-1) ?? 0) + text.length)
      const asked = Promise.withResolvers<void>()
      const run = { id: 0, text: texts.join(''), ends, pieceMs, writtenAt: [], asked }
      runs.set(input, run)
      const reply = await fetch(`${url}/api/chains/${chainId}/execute`, {
        method: 'POST',
        headers: { cookie, origin: url, 'content-type': 'application/json' },
        body: JSON.stringify({ input }),
      })
      if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
      run.id = ((await reply.json()) as StartedRun).id
      return run
    },

    /** Lets the models speak that were asked. */
    speak(): void {
      opened.resolve()
      opened = Promise.withResolvers()
    },

    /** Follows a run by the process at `url`; resolves once its state is there. */
    follow: (url: string, run: LiveRun) => follow({ url, run, cookie }),

    async cancel(url: string, { id }: LiveRun): Promise<void> {
      await fetch(`${url}/api/executions/${id}/cancel`, { method: 'POST', headers: { cookie, origin: url } })
    },

    close: () => provider.close(),
  }
}

interface Following {
  url: string
  run: LiveRun
  cookie: string
}

async function follow({ url, run, cookie }: Following): Promise<Follower> {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string | undefined>()
  const request = get(`${url}/api/executions/${run.id}/events`, {
    agent: false,
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  })
  const follower: Follower = {
    sent: '',
    text: '',
    readAt: [],
    ended: ended.promise,
    leave: () => request.destroy(),
  }

  function take(event: string, data: { from: number; text: string; status: string }): void {
    if (event === 'state') begun.resolve()
    if (event === 'end') ended.resolve(data.status)
    if (event !== 'delta') return
    follower.sent += data.text
    follower.text = follower.text.slice(0, data.from) + data.text
    const now = performance.now()
    const { readAt } = follower
    while ((run.ends[readAt.length] ?? Number.POSITIVE_INFINITY) <= follower.text.length) readAt.push(now)
  }

  request.on('error', begun.reject)
  request.on('close', () => ended.resolve(undefined))
  request.on('response', (reply) => {
    let rest = ''
    reply.setEncoding('utf8').on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
        if (event !== undefined && data !== undefined) take(event, JSON.parse(data))
      }
    })
    reply.on('error', () => {})
  })
  await begun.promise
  return follower
}
