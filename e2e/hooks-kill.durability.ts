import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain, CreatedOwnToken, HookDelivery, RunDetails } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { type Api, createApi } from './harness/api.ts'
import { createRandom } from './harness/chain-load.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS = Number(process.env.KILLS ?? 100)
const DELIVERIES_A_ROUND = 6
const RETRY_MS = 60
/** After the last kill, for what is still not answered. */
const PATIENCE_MS = 120_000
const SECRET_KEY = 'shared by all processes of this instance'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(env: Record<string, string>): Promise<RunningServer> {
  const server = await startServer({ env: { RUNS_PER_MINUTE: '1000000', LOG_LEVEL: 'warn', ...env } })
  closing.push(server.dispose)
  showLogsOnFailure(server)
  return server
}

/** A chain that says what came in. */
async function makeHook(api: Api): Promise<CreatedOwnToken> {
  const { id } = await api.post<Chain>('/api/chains', { name: 'Load' })
  await api.post(`/api/chains/${id}/steps`, {
    kind: 'stop',
    title: 'Said',
    stop: { outcome: 'completed', text: '{{input.named}}' },
    position: 0,
  })
  return api.post('/api/own-tokens', { name: 'Load', scopes: [`chain:${id}`, 'hook'] })
}

/** As a service sends it: again and again until it is answered; what it was answered. */
async function deliver(
  { urls, token, name }: { urls: readonly string[]; token: string; name: string },
  sending: { until: number },
): Promise<number[]> {
  const answers: number[] = []
  const send = async (url: string) => {
    const reply = await fetch(`${url}/hooks/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': name },
      body: JSON.stringify({ named: name }),
    }).catch(() => undefined)
    if (reply?.status === 202) answers.push(((await reply.json()) as { executionId: number }).executionId)
  }
  while (answers.length === 0 && Date.now() < sending.until) {
    await Promise.all(urls.map(send))
    if (answers.length === 0) await sleep(RETRY_MS)
  }
  return answers
}

interface Killing {
  api: Api
  /** Where each delivery is sent at the same time. */
  urls: readonly string[]
  kill: (round: number) => Promise<void>
}

/** Kills while deliveries come in, and holds what was answered against what there is. */
async function killOften({ api, urls, kill }: Killing): Promise<void> {
  const random = createRandom(SEED)
  await api.post('/api/register', seedAccount)
  const { id, token } = await makeHook(api)
  const sending = { until: Number.POSITIVE_INFINITY }
  const sent: { name: string; answered: Promise<number[]> }[] = []
  for (let kills = 0; kills < KILLS; kills += 1) {
    for (let each = 0; each < DELIVERIES_A_ROUND; each += 1) {
      const name = `d-${kills}-${each}`
      sent.push({ name, answered: deliver({ urls, token, name }, sending) })
    }
    await sleep(random() * 400)
    await kill(kills)
  }
  sending.until = Date.now() + PATIENCE_MS
  const faults: string[] = []
  const begun = new Map<string, number>()
  for (const { name, answered } of sent) {
    const [first, ...others] = new Set(await answered)
    if (first === undefined || others.length > 0) faults.push(`${name}: answered ${first} ${others}`)
    else begun.set(name, first)
  }
  const kept = await api.get<HookDelivery[]>(`/api/own-tokens/${id}/deliveries?limit=1000`)
  for (const [name, executionId] of begun) {
    const rows = kept.filter(({ deliveryId, status }) => deliveryId === name && status === 202)
    if (rows.length !== 1 || rows[0]?.executionId !== executionId)
      faults.push(`${name}: ${JSON.stringify(rows)}`)
    const run = await endedRun(api, executionId)
    if (run.status !== 'completed' || run.output !== name) faults.push(`${name}: ${run.status} ${run.output}`)
  }
  const runs = await api.get<{ id: number }[]>(`/api/tokens/${id}/executions?limit=1000`)
  console.log(`seed ${SEED}: ${sent.length} deliveries, ${KILLS} kills, ${runs.length} runs`)
  expect(faults).toEqual([])
  expect(runs).toHaveLength(sent.length)
}

async function endedRun(api: Api, id: number): Promise<RunDetails> {
  let run: RunDetails | undefined
  const read = async () => {
    run = await api.get<RunDetails>(`/api/executions/${id}`)
    return run.status
  }
  await expect.poll(read, { timeout: 180_000, interval: 50 }).not.toBe('running')
  return run as RunDetails
}

test('However often the process is killed, no delivery to a chain’s own address is lost or run twice.', async () => {
  const server = await start({})
  await killOften({
    api: createApi(server.url),
    urls: [server.url],
    async kill() {
      await server.kill()
      await server.restart()
    },
  })
}, 1_800_000)

test('the same deliveries to two processes on PostgreSQL at once, which are killed in turn', async () => {
  const env = { DATABASE_URL: await createServerDatabase(), SECRET_KEY }
  const [first, second] = [await start(env), await start(env)]
  await killOften({
    api: createApi(first.url),
    urls: [first.url, second.url],
    async kill(round) {
      const killed = round % 2 === 0 ? second : first
      await killed.kill()
      await killed.restart()
    },
  })
}, 1_800_000)
