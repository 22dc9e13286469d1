import type { BrowserContext } from 'playwright-core'
import { createApi } from '../e2e/harness/api.ts'
import { openBrowser } from '../e2e/harness/browser.ts'
import { startServer } from '../e2e/harness/server.ts'
import { largeAnswer } from '../e2e/states/evaluation-answers.ts'
import { answers } from '../e2e/states/network.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { paintOf, takeNotes, worst } from './lib/page-notes.ts'

const WARMUP = 1
const ROUNDS = 7
const WHEEL_TURNS = 30
const FRAME_MS = 50

interface Notes {
  /** From the last byte of the evaluation to the frame that shows its first cells. */
  paint: number
  /** Longest time between two frames while the table scrolls, down and across. */
  scroll: number
  /** Longest time from an input to the frame that answers it: only regressions, by difference, another baseline. */
  inputs: number
}

async function sit({ context, url }: { context: BrowserContext; url: string }): Promise<Notes> {
  const page = await context.newPage()
  await takeNotes(page, { shown: '[data-cell="0:0"]', read: '/evaluations/14' })
  await answers('/api/evaluations/14', largeAnswer())(page)
  await answers('/api/evaluations', [])(page)
  await page.goto(`${url}/evaluations/14`)
  const paint = await paintOf(page)
  await page.getByRole('table').hover()
  const scroll = await worst({
    page,
    kind: 'frames',
    act: async () => {
      for (let turn = 0; turn < WHEEL_TURNS; turn += 1) await page.mouse.wheel(turn % 5 === 4 ? 300 : 0, 400)
    },
  })
  const inputs = await worst({
    page,
    kind: 'inputs',
    act: async () => {
      await page.getByRole('switch', { name: /Only regressions/ }).click()
      await page.getByRole('switch', { name: /Only regressions/ }).click()
      await page.getByRole('button', { name: 'By difference' }).click()
      await page
        .getByRole('button', { name: /^Compare the others with v7 · Claude/ })
        .first()
        .click()
    },
  })
  await page.close()
  return { paint, scroll, inputs }
}

const server = await startServer({ env: { LOG_LEVEL: 'warn' } })
const api = createApi(server.url)
await api.post('/api/register', {
  username: 'bench',
  email: 'bench@example.org',
  password: 'bench bench bench',
})
const { context, close } = await openBrowser()
await context.addCookies(api.cookies())
const notes: Notes[] = []
for (let round = 0; round < WARMUP + ROUNDS; round += 1) {
  const noted = await sit({ context, url: server.url })
  if (round >= WARMUP) notes.push(noted)
}
await close()
await server.dispose()

const figure = (kind: keyof Notes) => milliseconds(median(notes.map((noted) => noted[kind])))
print({ figure: '400 cells: evaluation read to cells painted', value: figure('paint') })
print({
  figure: '400 cells: longest frame while scrolling',
  value: figure('scroll'),
  target: `≤ ${FRAME_MS} ms`,
})
print({ figure: '400 cells: worst interaction', value: figure('inputs'), target: `≤ ${FRAME_MS} ms` })
process.exit(0)
