import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain, RunState, StartedRun } from '@catenary/contracts'
import { makeStepAsk } from '../../apps/server/src/testing/asks.ts'
import {
  type FakeProvider,
  startFakeProvider,
} from '../../apps/server/src/testing/fake-providers/fake-provider.ts'
import type { Api } from './api.ts'

const STEP_MS = 40
const POLL_MS = 100

/** Runs of one chain under load, and what the provider's journal says of them. */
export interface ChainLoad {
  /** Settings that have the program call the fake provider. */
  env: Record<string, string>
  /** Makes the chain, through a signed-in caller. */
  prepare(api: Api): Promise<void>
  /** How long a step takes from now on. */
  pace(ms: number): void
  /** Starts runs at once; those that the program answered count. */
  start(options: { api: Api; count: number; kills: number }): Promise<void>
  /** Waits until every run that was answered has completed; throws for one that is lost or failed. */
  waitForAll(options: { api: Api; timeoutMs: number }): Promise<void>
  /** Violations: completed steps asked for again, or more repeated calls than kills allow. */
  findFaults(options: { kills: number }): string[]
  /** The chain's, once it is made. */
  readonly chainId: number
  /** Violations of runs that something else than `start` began, such as a schedule, by the input that names them. */
  findFaultsOf(options: { names: string[]; kills: number }): string[]
  readonly acknowledged: number
  readonly calls: number
  readonly repeated: number
  /** What the last step of each run was told of the answer before it, call by call. */
  reasons(): string[][]
  close(): Promise<void>
}

/**
 * A provider on this side of the kills, and a chain of `steps` that each name their run and their place; with `atOnce` it
 * has one step that runs for so many items, of which a kill may repeat those under way. With `asks` a person answers between
 * those and one more step, which says the reason of the answer.
 */
export async function createChainLoad({
  steps,
  atOnce,
  asks = false,
}: {
  steps: number
  atOnce?: number
  asks?: boolean
}): Promise<ChainLoad> {
  let stepMs = STEP_MS
  const provider: FakeProvider = await startFakeProvider({ vendor: 'openai' })
  provider.replyByDefault(() => ({ text: ['a ', 'piece'], delayMs: stepMs / 2 }))
  /** Execution id by the run's name, and how many kills there had been when it started. */
  const runs = new Map<string, { id: number; kills: number }>()
  let chainId = 0
  let named = 0

  const texts = () =>
    provider.journal.map(({ body }) => (body.messages as { content: string }[]).at(-1)?.content ?? '')
  const calls = () => {
    const byRun = new Map<string, number[]>()
    for (const text of texts()) {
      const [, run = '', step = ''] = /^(\S+) step (\d+)/.exec(text) ?? []
      byRun.set(run, [...(byRun.get(run) ?? []), Number(step)])
    }
    return byRun
  }
  const repeatedOf = (asked: number[]) => asked.length - new Set(asked).size
  const faultsOf = ({ run, order, lived }: { run: string; order: number[]; lived: number }): string[] => {
    const faults: string[] = []
    const isInOrder =
      atOnce !== undefined || order.every((step, index) => index === 0 || step >= (order[index - 1] ?? 0))
    if (!isInOrder) faults.push(`${run} repeated a completed step: ${order.join(' ')}`)
    if (new Set(order).size !== steps + Number(asks)) faults.push(`${run} left steps out: ${order.join(' ')}`)
    if (repeatedOf(order) > lived * (atOnce ?? 1))
      faults.push(`${run}: ${repeatedOf(order)} repeated calls in ${lived} kills`)
    return faults
  }

  return {
    env: {
      OPENAI_API_KEY: 'durability',
      OPENAI_BASE_URL: provider.url,
      RUNS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'warn',
    },

    async prepare(api) {
      chainId = (await api.post<Chain>('/api/chains', { name: 'Load' })).id
      if (atOnce !== undefined) {
        const places = Array.from({ length: steps }, (_, place) => place).join('\n')
        await api.post('/api/variables', { name: 'places', type: 'text', content: places })
        const forEach = { list: 'places', max: steps, atOnce }
        const body = { content: '{{input}} step {{item}}', outputVariableName: 'all', position: 0, forEach }
        await api.post(`/api/chains/${chainId}/steps`, body)
      }
      for (let step = 0; step < steps && atOnce === undefined; step += 1) {
        const content = `{{input}} step ${step}${step === 0 ? '' : `: {{out_${step - 1}}}`}`
        const body = { content, outputVariableName: `out_${step}`, position: step }
        await api.post(`/api/chains/${chainId}/steps`, body)
      }
      if (!asks) return
      const ask = {
        kind: 'ask',
        content: '',
        outputVariableName: 'asked',
        ask: makeStepAsk({ role: 'owner' }),
      }
      const last = { content: `{{input}} step ${steps}: {{asked.reason}}`, outputVariableName: 'last' }
      for (const body of [ask, last]) await api.post(`/api/chains/${chainId}/steps`, body)
    },

    pace(ms) {
      stepMs = ms
    },

    async start({ api, count, kills }) {
      const start = async () => {
        named += 1
        const input = `run-${named}`
        const url = `/api/chains/${chainId}/execute`
        const reply = await api.call('POST', url, { input }).catch(() => undefined)
        if (reply?.status === 201) runs.set(input, { id: (reply.body as StartedRun).id, kills })
      }
      await Promise.all(Array.from({ length: count }, start))
    },

    async waitForAll({ api, timeoutMs }) {
      const deadline = Date.now() + timeoutMs
      for (const [run, { id }] of runs) {
        for (;;) {
          const reply = await api.call('GET', `/api/executions/${id}/status`).catch(() => undefined)
          const state = reply?.status === 200 ? (reply.body as RunState) : undefined
          if (state?.status === 'completed') break
          if (reply?.status === 404 || (state !== undefined && state.status !== 'running'))
            throw new Error(`${run} (${id}): ${reply?.status} ${JSON.stringify(reply?.body)}`)
          if (Date.now() > deadline)
            throw new Error(`${run} (${id}) still runs: ${JSON.stringify(reply?.body)}`)
          await sleep(POLL_MS)
        }
      }
    },

    findFaults({ kills }) {
      const asked = calls()
      return [...runs].flatMap(([run, started]) =>
        faultsOf({ run, order: asked.get(run) ?? [], lived: kills - started.kills }),
      )
    },

    findFaultsOf({ names, kills }) {
      const asked = calls()
      return names.flatMap((run) => faultsOf({ run, order: asked.get(run) ?? [], lived: kills }))
    },

    get chainId() {
      return chainId
    },

    get acknowledged() {
      return runs.size
    },
    get calls() {
      return provider.journal.length
    },
    get repeated() {
      return [...calls().values()].reduce((sum, asked) => sum + repeatedOf(asked), 0)
    },
    reasons() {
      const byRun = new Map<string, string[]>()
      for (const text of texts()) {
        const [, run = '', reason] = new RegExp(`^(\\S+) step ${steps}: (.*)$`).exec(text) ?? []
        if (reason !== undefined) byRun.set(run, [...(byRun.get(run) ?? []), reason])
      }
      return [...byRun.values()]
    },
    close: () => provider.close(),
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
