import type { Chain } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const TIMEOUT_MS = 240_000
const ROUNDS = 40

let server: RunningServer
let api: Api
let browser: OpenBrowser
beforeAll(async () => {
  server = await startServer()
  browser = await openBrowser()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await browser.context.addCookies(api.cookies())
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test(
  'No arrow key is lost while a step is carried.',
  async () => {
    const { id } = await api.post<Chain>('/api/chains', { name: 'Carried' })
    const names = ['One', 'Two', 'Three', 'Four']
    for (const [position, title] of names.entries()) {
      // Steps have different heights.
      const content = Array.from({ length: 1 + 3 * position }, (_, line) => `Line ${line}`).join('\n')
      await api.post(`/api/chains/${id}/steps`, {
        title,
        content,
        position,
        outputVariableName: `out_${position}`,
      })
    }
    const page = await browser.context.newPage()
    await page.goto(`${server.url}/chains/${id}`)
    const handles = page.getByRole('button', { name: /^Move step \d/ })
    await handles.nth(3).waitFor()
    const order = async () =>
      (await handles.allTextContents()).length === 4
        ? Promise.all(
            [0, 1, 2, 3].map(async (at) =>
              (await handles.nth(at).getAttribute('aria-label'))?.replace(/^Move step \d: /, ''),
            ),
          )
        : []
    const lost: number[] = []
    let expected: (string | undefined)[] = names
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = round % 3
      await handles.nth(from).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      expected = expected.with(from, expected[from + 1]).with(from + 1, expected[from])
      await page.getByText(/was dropped at place|Dropped where it was/).waitFor({ state: 'attached' })
      const isThere = await expect
        .poll(order, { timeout: 2000 })
        .toEqual(expected)
        .then(
          () => true,
          () => false,
        )
      if (!isThere) {
        lost.push(round)
        await page.keyboard.press('Escape')
        expected = await order()
      }
    }
    expect(lost).toEqual([])
    const stored = () =>
      api.get<Chain>(`/api/chains/${id}`).then(({ steps }) => steps.map(({ title }) => title))
    await expect.poll(stored).toEqual(expected)
    await page.close()
  },
  TIMEOUT_MS,
)
