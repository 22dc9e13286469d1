import type { StartedRun } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { createApi } from '../e2e/harness/api.ts'
import { openBrowser } from '../e2e/harness/browser.ts'
import { cardOf } from '../e2e/harness/chain-builder.ts'
import { startServer } from '../e2e/harness/server.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { takeNotes, worst } from './lib/page-notes.ts'

const FEW = 20
const MANY = 200
const WARMUP = 1
const ROUNDS = 5
const HELD_MS = 300_000
const ITEM_MS = 100
/** What a start mounts is drawn by then. */
const STARTED_MS = 700
const BYTES_PER_MB = 1_048_576
const TITLE = 'Answer each ticket'
const ANSWER = 'We see to it, and write again by Friday. '.repeat(20)

/** Whether the last item of a list waits for its answer, so that its run stays under way. */
let isHeld = true
const provider = await startFakeProvider({ vendor: 'openai' })
provider.replyByDefault(({ body }) => {
  const isLast = JSON.stringify(body).includes('the last')
  return { text: ANSWER, delayMs: isLast && isHeld ? HELD_MS : ITEM_MS }
})
const env = {
  ...{ OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: provider.url },
  ...{ RUNS_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' },
}
const server = await startServer({ env })
const api = createApi(server.url)
const account = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' }
await api.post('/api/register', account)

async function chainOf(count: number): Promise<number> {
  const { id } = await api.post<{ id: number }>('/api/chains', { name: `${count} tickets` })
  const items = Array.from({ length: count }, (_, index) =>
    index === count - 1 ? 'the last' : `ticket ${index + 1}`,
  )
  await api.post('/api/variables', { name: `tickets_${count}`, type: 'text', content: items.join('\n') })
  await api.post(`/api/chains/${id}/steps`, {
    ...{ title: TITLE, content: 'Answer {{item}}.', outputVariableName: 'answers', position: 0 },
    forEach: { list: `tickets_${count}`, max: MANY, atOnce: 5 },
  })
  return id
}

const browser = await openBrowser()
await browser.context.addCookies(api.cookies())

interface Opened {
  /** From the address to the count of items that have ended. */
  ms: number
  megabytes: number
}

async function open({ chain, count }: { chain: number; count: number }): Promise<Opened> {
  const page = await browser.context.newPage()
  const session = await browser.context.newCDPSession(page)
  const began = performance.now()
  await page.goto(`${server.url}/chains/${chain}`)
  await cardOf(page, TITLE)
    .getByText(`${count - 1} of ${count} done`)
    .waitFor()
  const ms = performance.now() - began
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await page.close()
  return { ms, megabytes: usedSize / BYTES_PER_MB }
}

const lists = [FEW, MANY].map((count) => ({ count, chain: 0, run: 0, opened: [] as Opened[] }))
for (const list of lists) {
  list.chain = await chainOf(list.count)
  list.run = (await api.post<StartedRun>(`/api/chains/${list.chain}/execute`, {})).id
}
for (let round = 0; round < WARMUP + ROUNDS; round += 1) {
  for (const list of lists) {
    const opened = await open(list)
    if (round >= WARMUP) list.opened.push(opened)
  }
}
for (const { run } of lists) await api.post(`/api/executions/${run}/cancel`)

isHeld = false
const frames = lists.map((): number[] => [])
const framesBetween: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, { chain, count }] of lists.entries()) {
    const page = await browser.context.newPage()
    await takeNotes(page)
    await page.goto(`${server.url}/chains/${chain}`)
    const card = cardOf(page, TITLE)
    await card.waitFor()
    const start = () => page.getByRole('button', { name: /^Execute Chain/ }).click()
    const end = () => card.getByText(/^done/).waitFor()
    const act = async () => {
      await start()
      await end()
    }
    frames[index]?.push(await worst({ page, kind: 'frames', act }))
    if (count < MANY) {
      await page.close()
      continue
    }
    await start()
    await card.getByText(`of ${count} done`).waitFor()
    await page.waitForTimeout(STARTED_MS)
    const between = () => card.getByText(new RegExp(`^1[5-9]\\d of ${count} done`)).waitFor()
    framesBetween.push(await worst({ page, kind: 'frames', act: between }))
    await end()
    await page.close()
  }
}
await browser.close()
await server.dispose()
await provider.close()

const [few = [], many = []] = lists.map(({ opened }) => opened)
const of = (kind: keyof Opened) => [few, many].map((opened) => median(opened.map((one) => one[kind])))
const [fewMs = 0, manyMs = 0] = of('ms')
print({
  figure: `page of a running list of ${MANY} items, opened`,
  value: milliseconds(manyMs),
  floor: `${milliseconds(fewMs)} with ${FEW}`,
  ratio: (manyMs / fewMs).toFixed(2),
  target: '≤ 1.4',
})
const [fewMb = 0, manyMb = 0] = of('megabytes')
print({
  figure: `memory of that page`,
  value: `${manyMb.toFixed(1)} MB`,
  floor: `${fewMb.toFixed(1)} MB with ${FEW}`,
  ratio: (manyMb / fewMb).toFixed(2),
  target: 'bounded',
})
const [fewFrames = 0, manyFrames = 0] = frames.map(median)
print({
  figure: `longest frame of a run of ${MANY} items, its start and end included`,
  value: milliseconds(manyFrames),
  floor: `${milliseconds(fewFrames)} with ${FEW}`,
  ratio: (manyFrames / fewFrames).toFixed(2),
})
print({
  figure: `longest frame while ${MANY} items run, between these`,
  value: milliseconds(median(framesBetween)),
  target: '≤ 50 ms',
})
process.exit(0)
