import { setTimeout as sleep } from 'node:timers/promises'
import type { Evaluation, Prompt, TestSuite } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { createRandom } from './harness/chain-load.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const CASES = 100
const VERSIONS = 4
const KILLS = 5
const CALL_MS = 60
/** Cells of one person under way at once in a process. */
const UNDER_WAY = 6
/** Each call takes ten tokens of a dollar a thousand. */
const CALL_USD = 0.01
const PRICES = JSON.stringify({ 'gpt-4o': { inputPerMillionUsd: 1_000, outputPerMillionUsd: 0 } })

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Stage {
  server: RunningServer
  provider: FakeProvider
  api: Api
  body: object
}

/** A prompt of four versions with a hundred tests, whose calls name their version and case. */
async function prepare(): Promise<Stage> {
  const provider = await startFakeProvider({ vendor: 'openai' })
  closing.push(provider.close)
  provider.replyByDefault({
    text: ['case ', 'answered'],
    delayMs: CALL_MS / 2,
    inputTokens: 10,
    outputTokens: 5,
  })
  const env = {
    ...{ OPENAI_API_KEY: 'durability', OPENAI_BASE_URL: provider.url, OPENAI_MODEL: 'gpt-4o' },
    ...{ MODEL_PRICES: PRICES, LOG_LEVEL: 'warn' },
  }
  const server = await startServer({ env })
  closing.push(server.dispose)
  showLogsOnFailure(server)
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  const fields = (version: number) => ({
    ...{ title: 'Evaluated', categoryId: category?.id, content: `version ${version} case $<case>` },
  })
  const { id } = await api.post<Prompt>('/api/prompts', fields(1))
  for (let version = 2; version <= VERSIONS; version += 1) {
    const saved = await api.call('PUT', `/api/prompts/${id}`, fields(version))
    expect(saved.status).toBe(200)
  }
  const suite = await api.post<TestSuite>(`/api/prompts/${id}/test-suites`, { name: 'All' })
  for (let index = 0; index < CASES; index += 1) {
    await api.post(`/api/test-suites/${suite.id}/cases`, {
      ...{ name: `Case ${index}`, values: { case: String(index) } },
      assertions: [{ type: 'contains', value: 'answered' }],
    })
  }
  const targets = Array.from({ length: VERSIONS }, (_, index) => ({ version: index + 1, model: 'openai' }))
  return { server, provider, api, body: { suiteId: suite.id, targets } }
}

/** How often each cell was asked for, by what its text says. */
function askedOf({ journal }: FakeProvider): Map<string, number> {
  const asked = new Map<string, number>()
  for (const { body } of journal) {
    const text = (body.messages as { content: string }[]).at(-1)?.content ?? ''
    asked.set(text, (asked.get(text) ?? 0) + 1)
  }
  return asked
}

const ended = ({ cells }: Evaluation) => cells.filter(({ status }) => status === 'passed')
const textOf = ({ casePosition, targetPosition }: Evaluation['cells'][number]) =>
  `version ${targetPosition + 1} case ${casePosition}`

async function settle(api: Api, id: number): Promise<Evaluation> {
  for (;;) {
    const evaluation = await api.get<Evaluation>(`/api/evaluations/${id}`)
    const isUnderWay = evaluation.cells.some(({ status }) => status === 'running')
    if (evaluation.status !== 'running' && !isUnderWay) return evaluation
    await sleep(200)
  }
}

test('Killed, it goes on: no completed result is paid again, and each is there once.', async () => {
  const random = createRandom(SEED)
  const { server, provider, api, body } = await prepare()
  const { id } = await api.post<Evaluation>('/api/evaluations', { ...body, ceilingUsd: 100 })
  const completed = new Map<string, number>()
  for (let kills = 0; kills < KILLS; kills += 1) {
    await sleep(300 + random() * 700)
    let before = await api.get<Evaluation>(`/api/evaluations/${id}`)
    // A busy machine may have ended no result yet: the last kill waits for one.
    while (kills === KILLS - 1 && ended(before).length === 0) {
      await sleep(50)
      before = await api.get<Evaluation>(`/api/evaluations/${id}`)
    }
    await server.kill()
    const asked = askedOf(provider)
    for (const cell of ended(before)) completed.set(textOf(cell), asked.get(textOf(cell)) ?? 0)
    await server.restart()
  }
  const evaluation = await settle(api, id)
  const asked = askedOf(provider)
  const repeated = [...asked.values()].reduce((sum, times) => sum + times - 1, 0)
  console.log(
    `seed ${SEED}: ${CASES * VERSIONS} cells, ${KILLS} kills, ${provider.journal.length} calls, ${repeated} repeated`,
  )
  expect(evaluation.status).toBe('completed')
  expect(ended(evaluation)).toHaveLength(CASES * VERSIONS)
  expect(new Set(evaluation.cells.map(({ executionId }) => executionId)).size).toBe(CASES * VERSIONS)
  expect(completed.size).toBeGreaterThan(0)
  for (const [cell, times] of completed) expect([cell, asked.get(cell)]).toEqual([cell, times])
  expect(repeated).toBeLessThanOrEqual(KILLS * UNDER_WAY)
}, 900_000)

test('the ceiling holds through kills: what is under way at most is beyond it', async () => {
  const random = createRandom(SEED)
  const { server, api, body } = await prepare()
  const ceilingUsd = 50 * CALL_USD
  const { id } = await api.post<Evaluation>('/api/evaluations', { ...body, ceilingUsd })
  for (let kills = 0; kills < KILLS; kills += 1) {
    await sleep(100 + random() * 200)
    await server.kill()
    await server.restart()
  }
  const stopped = await settle(api, id)
  expect(stopped.status).toBe('stopped')
  expect(stopped.costUsd).toBeGreaterThanOrEqual(ceilingUsd - 1e-9)
  expect(stopped.costUsd).toBeLessThanOrEqual(ceilingUsd + UNDER_WAY * CALL_USD + 1e-9)
  const resumed = await api.post<Evaluation>(`/api/evaluations/${id}/resume`, { ceilingUsd: 100 })
  expect(resumed.status).toBe('running')
  expect((await settle(api, id)).status).toBe('completed')
}, 900_000)
