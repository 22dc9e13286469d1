import type { Page } from 'playwright-core'
import { createApi } from '../e2e/harness/api.ts'
import { openBrowser } from '../e2e/harness/browser.ts'
import { seed } from '../e2e/harness/seed.ts'
import { startServer } from '../e2e/harness/server.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { takeNotes, worst } from './lib/page-notes.ts'

/** As slow as a middling phone, which is what INP is judged by. */
const CPU_SLOWDOWN = 4
const ROUNDS = 5
const STEPS = 200
const LONG_TEXT = 'Read the letter, name what went wrong and say what happens next.\n'.repeat(1_600)

interface Interaction {
  figure: string
  path: string
  /** Whether the page is there, and nothing that it loads is under way. */
  ready: (page: Page) => Promise<unknown>
  act: (page: Page) => Promise<unknown>
}

const server = await startServer({ env: { LOG_LEVEL: 'warn' } })
const api = createApi(server.url)
await seed(api)
const { id: longId } = await api.post<{ id: number }>('/api/prompts', {
  title: 'A long letter',
  content: LONG_TEXT,
  categoryId: 1,
})
const { id: chainId } = await api.post<{ id: number }>('/api/chains', { name: 'Two hundred links' })
for (let position = 0; position < STEPS; position += 1) {
  await api.post(`/api/chains/${chainId}/steps`, {
    title: `Link ${position + 1}`,
    content: position === 0 ? 'Begin with {{input}}.' : `Go on from {{o${position - 1}}}.`,
    outputVariableName: `o${position}`,
    position,
  })
}

const cards = (page: Page) => page.getByRole('article').first().waitFor()
const interactions: Interaction[] = [
  {
    figure: `typing in a prompt of ${Math.round(LONG_TEXT.length / 1000)} kB`,
    path: `/edit/${longId}`,
    ready: async (page) => {
      const text = page.locator('.cm-content').first()
      await text.waitFor()
      await text.click()
    },
    act: (page) => page.keyboard.type('Then thank them. ', { delay: 80 }),
  },
  {
    figure: 'opening Execute',
    path: '/',
    ready: cards,
    act: async (page) => {
      await page.getByRole('button', { name: 'Execute with AI' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    figure: 'opening the palette and typing in it',
    path: '/',
    ready: cards,
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
      await page.keyboard.type('letter', { delay: 80 })
    },
  },
  {
    figure: `opening a chain of ${STEPS} steps`,
    path: '/chains',
    ready: cards,
    act: async (page) => {
      await page.getByRole('link', { name: 'Two hundred links' }).click()
      await page.getByRole('article', { name: 'Link 1', exact: true }).waitFor()
    },
  },
]

const browser = await openBrowser()
await browser.context.addCookies(api.cookies())
for (const { figure, path, ready, act } of interactions) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await browser.context.newPage()
    await takeNotes(page)
    await page.goto(server.url + path)
    await page.waitForLoadState('networkidle')
    await ready(page)
    const session = await browser.context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    times.push(await worst({ page, kind: 'inputs', act: async () => void (await act(page)) }))
    await page.close()
  }
  print({
    figure: `worst interaction, ${figure}, processor ÷ ${CPU_SLOWDOWN}`,
    value: milliseconds(median(times)),
    target: '≤ 200 ms',
  })
}
await browser.close()
await server.dispose()
process.exit(0)
