import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const PARAGRAPHS = 120
const answer = Array.from(
  { length: PARAGRAPHS },
  (_, index) => `Paragraph ${index + 1}. ${'Many words. '.repeat(30)}`,
)

let fake: FakeProvider
let server: RunningServer
let browser: OpenBrowser
beforeAll(async () => {
  fake = await startFakeProvider({ vendor: 'anthropic' })
  server = await startServer({ env: { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: fake.url } })
  const api = createApi(server.url)
  fake.replyByDefault(() => ({ text: [answer.join('\n\n')] }))
  await seed(api)
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await fake?.close()
})

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

test.each(['light', 'dark'] as const)(
  'What is printed goes on for as many pages as it takes, without the frame, and is dark on light. (%s)',
  async (colorScheme) => {
    const page = await browser.context.newPage()
    await page.emulateMedia({ colorScheme })
    await page.goto(`${server.url}/execute/1`)
    await page.getByLabel('customer', { exact: true }).fill('Grace')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByRole('figure', { name: 'AI response' }).getByRole('button', { name: 'Expand' }).click()
    // A paragraph of its own: until Markdown is read, all of it is one text that goes again.
    const last = page.getByText(new RegExp(`^Paragraph ${PARAGRAPHS}\\.`))
    await last.waitFor()
    // About six of them fit on a sheet.
    const pdf = await page.pdf({ format: 'A4' })
    expect(pagesOf(pdf)).toBeGreaterThan(8)

    await page.emulateMedia({ media: 'print', colorScheme })
    expect(await page.getByRole('complementary', { name: 'Sidebar' }).isVisible()).toBe(false)
    const clippedBy = await last.evaluate((element) => {
      const { bottom } = element.getBoundingClientRect()
      for (let around = element.parentElement; around !== null; around = around.parentElement) {
        const { overflowY } = getComputedStyle(around)
        if (overflowY !== 'visible' && around.getBoundingClientRect().bottom < bottom) return around.className
      }
      return null
    })
    expect(clippedBy).toBeNull()
    const [ink, paper] = await last.evaluate((element) => [
      getComputedStyle(element).color,
      getComputedStyle(document.body).color,
    ])
    expect(ink).toBe(paper)
    // Painted, as a computed colour may be given in any space of colours.
    const brightest = await last.evaluate((element) => {
      const brush = document.createElement('canvas').getContext('2d')
      if (brush === null) throw new Error('No canvas')
      brush.fillStyle = getComputedStyle(element).color
      brush.fillRect(0, 0, 1, 1)
      return Math.max(...brush.getImageData(0, 0, 1, 1).data.slice(0, 3))
    })
    expect(brightest).toBeLessThan(100)
    await page.close()
  },
)
