import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { states } from './states/catalogue.ts'
import { changes } from './states/network.ts'
import type { State } from './states/state.ts'
import { startVisits, type Visits } from './states/visits.ts'

let visits: Visits
beforeAll(async () => {
  visits = await startVisits()
})
afterAll(() => visits?.close())

function stateNamed(name: string): State {
  const state = states.find((each) => each.name === name)
  if (!state) throw new Error(`The catalogue has no state '${name}'.`)
  return state
}

function visit(name: string, width: number, act: (page: Page) => Promise<void>): Promise<void> {
  return visits.visit({ state: stateNamed(name), size: 'desk', viewport: { width, height: 900 }, act })
}

test('A chain’s name has the first row of its page.', () =>
  visit('chain', 1440, async (page) => {
    const heading = page.locator('main header h1')
    expect(await heading.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
  }))

test.each([
  [390, 1],
  [480, 1],
  [767, 1],
  [768, 2],
  [1440, 3],
])('`/chains` has two columns from 768 px. (%i, %i)', (width, columns) =>
  visit('chains', width, async (page) => {
    const lefts = await page
      .locator('main article')
      .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().left)))
    expect(new Set(lefts).size).toBe(columns)
  }),
)

test('At 1280 px a chain’s header is one row, with room for the name.', () =>
  visit('chain', 1280, async (page) => {
    const header = await page.locator('main header').first().boundingBox()
    expect(header?.height).toBeLessThan(60)
    const heading = page.locator('main header h1')
    expect(await heading.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
  }))

test.each(['Add Step', 'Show Execution History', 'Scheduled Runs', 'Schedule Run', 'Execute Chain'])(
  'at 1280 px the chain’s ‘%s’ is read, not guessed from an icon',
  (name) =>
    visit('chain', 1280, async (page) => {
      const words = page.locator('main header').getByText(name, { exact: true })
      const { width = 0, height = 0 } = (await words.boundingBox()) ?? {}
      expect(width).toBeGreaterThan(6 * name.length)
      expect(height).toBeLessThan(40)
    }),
)

const MINUTE_MS = 60_000
const MONTH_MS = 31 * 24 * 60 * MINUTE_MS

test.each([
  [1280, 'just now', -0.75 * MINUTE_MS],
  [1280, '4\\d minutes ago', 45 * MINUTE_MS],
  [1280, '11 months ago', 11 * MONTH_MS],
  [390, '4\\d minutes ago', 45 * MINUTE_MS],
])('at %i px a card says ‘Updated %s’, and nothing of its foot is cut', (width, ago, ageMs) => {
  const updatedAt = new Date(Date.now() - ageMs).toISOString()
  const aged = { ...stateNamed('library'), network: changes('/api/prompts', { updatedAt }) }
  return visits.visit({
    state: aged,
    size: 'desk',
    viewport: { width, height: 900 },
    act: async (page) => {
      const foot = page.locator('main article').first().locator('> :last-child')
      const said = (await foot.locator('p').innerText()).replace(/\s+/g, ' ')
      expect(said).toMatch(new RegExp(`^Updated ${ago}$`))
      const word = await foot.getByText('Updated').boundingBox()
      expect(word?.width).toBeGreaterThan(30)
      const rights = await foot.evaluate((row) => ({
        row: row.getBoundingClientRect().right,
        parts: [...row.children].map((part) => {
          const texts = document.createRange()
          texts.selectNodeContents(part)
          return Math.max(part.getBoundingClientRect().right, texts.getBoundingClientRect().right)
        }),
        lefts: [...row.children].slice(1).map((part) => part.getBoundingClientRect().left),
      }))
      expect(Math.max(...rights.parts)).toBeLessThanOrEqual(rights.row + 0.5)
      expect(rights.parts[0]).toBeLessThanOrEqual(rights.lefts[0] ?? 0)
    },
  })
})

test('a toast leaves the foot of the library free', () =>
  visit('library-copied', 1280, async (page) => {
    const toast = await page.locator('li[data-swipe-direction]').boundingBox()
    const foot = await page.locator('main footer').boundingBox()
    expect(foot?.height).toBeGreaterThan(0)
    expect((toast?.y ?? Number.NaN) + (toast?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
  }))

test('at 400 % the frame of the library leaves two thirds of the window to its prompts', () =>
  visits.visit({
    state: stateNamed('library'),
    size: 'desk',
    viewport: { width: 320, height: 256 },
    act: async (page) => {
      const header = await page.locator('main header').first().boundingBox()
      const foot = await page.locator('main footer').boundingBox()
      expect(header?.height).toBeGreaterThan(30)
      expect((header?.height ?? 256) + (foot?.height ?? 256)).toBeLessThanOrEqual(90)
    },
  }))

/** What is cut, and by how many px. */
const cutTexts = (page: Page, within: string) =>
  page.locator(within).evaluateAll((all) =>
    all
      .flatMap((one) => [one, ...one.querySelectorAll<HTMLElement>('*')])
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
      .filter((one) => !one.closest('.sr-only'))
      .map((one) => `${one.textContent} (${one.scrollWidth - one.clientWidth})`),
  )

test.each([
  [1280, 185],
  [1440, 220],
])(
  'An evaluation shows four targets from 1280 px on, without a cut in their heads. (%i, %i)',
  (width, column) =>
    visit('evaluation-four', width, async (page) => {
      const table = page.getByRole('region', { name: 'Tests and targets' })
      expect(await table.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0)
      const widths = await table
        .locator('thead th')
        .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().width))
      expect(widths).toHaveLength(4)
      expect(Math.min(...widths)).toBeGreaterThanOrEqual(column)
      expect(await cutTexts(page, 'thead th, thead td')).toEqual([])
    }),
)

test('A bar is as long as the percentage beside it.', () =>
  visit('usage', 1440, async (page) => {
    const rows = page.locator('li:has(> [aria-hidden=true] > span)').filter({ hasText: / %$/ })
    const drawn = await rows.evaluateAll((items) =>
      items.map((item) => {
        const bar = item.querySelector(':scope > [aria-hidden=true] > span')
        const whole = bar?.parentElement?.getBoundingClientRect().width ?? 0
        const said = Number.parseInt(item.querySelector('span > span:last-of-type')?.textContent ?? '', 10)
        return Math.abs(((bar?.getBoundingClientRect().width ?? 0) / whole) * 100 - said)
      }),
    )
    expect(drawn.length).toBeGreaterThan(1)
    expect(Math.max(...drawn)).toBeLessThan(1)
  }))

const LONG =
  'The quarterly report for the board, with every figure that was asked for, and what each of them means'

/** Puts a long text in place of a short one, and says how far to the left of its neighbour it ends, in px. */
function roomLeft(page: Page, { text, next }: { text: string; next: string }): Promise<number> {
  return page.evaluate(
    ({ text, next, LONG }) => {
      const shown = document.querySelector(text)
      if (!shown) throw new Error(`Nothing is at ${text}`)
      shown.textContent = LONG
      const end = shown.getBoundingClientRect().right
      return (document.querySelector(next)?.getBoundingClientRect().left ?? Number.NaN) - end
    },
    { text, next, LONG },
  )
}

test.each([
  [1440, 'article:not(:has(.rounded-tag)) > p'],
  [1024, 'article:not(:has(.rounded-tag)) [role=switch]'],
])('Titles are cut only where no room is left. (%i)', (width, next) =>
  visit('library-list', width, async (page) => {
    const room = await roomLeft(page, { text: 'main article:not(:has(.rounded-tag)) h2 a', next })
    expect(room).toBeGreaterThanOrEqual(0)
    expect(room).toBeLessThanOrEqual(16)
  }),
)

test('what an evaluation is of has the room beside its number, and its tests that beside the targets', () =>
  visit('evaluation', 1440, async (page) => {
    const badge = 'main header h1 ~ span:last-of-type > span'
    const room = await roomLeft(page, { text: badge, next: 'main header div > div.ml-auto' })
    expect(room).toBeLessThanOrEqual(24)
    const heading = page.locator('main header h1')
    expect(await heading.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
    const name = page.locator('main tbody th').first()
    expect((await name.boundingBox())?.width).toBeGreaterThan(320)
  }))
