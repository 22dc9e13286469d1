import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { states } from './states/catalogue.ts'
import { never, together } from './states/network.ts'
import type { State } from './states/state.ts'
import { startVisits, type Visits } from './states/visits.ts'

const TIMEOUT_MS = 240_000

let visits: Visits
beforeAll(async () => {
  visits = await startVisits()
}, TIMEOUT_MS)
afterAll(() => visits?.close())

function stateNamed(name: string): State {
  const state = states.find((each) => each.name === name)
  if (!state) throw new Error(`The catalogue has no state '${name}'.`)
  return state
}

/** Each page by a state that shows it whole, and how far its parts may move while it comes. */
const PAGES = {
  library: 0.02,
  variables: 0.05,
  chains: 0.05,
  chain: 0.02,
  execute: 0.02,
  editor: 0.05,
  evaluation: 0.05,
  tests: 0.05,
  'scheduled-runs': 0.05,
  connect: 0.05,
  usage: 0.05,
  'usage-runs': 0.05,
  guide: 0.05,
  settings: 0.02,
  'admin-models-tested': 0.02,
} as const
const WIDTHS = [1280, 1440, 390]
const LOADS = 3

/** What the browser counts as unexpected movement, all in all. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          })[])
            if (!entry.hadRecentInput) sum += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 300)
      }),
  )

test.each(Object.entries(PAGES))(
  'No page moves much while its data comes: by at most 0.05, library, execute, chain and settings by 0.02. (%s, %f)',
  async (name, most) => {
    const { prepare, opener, ...state } = stateNamed(name)
    for (const width of WIDTHS) {
      const shifts: number[] = []
      for (let load = 0; load < LOADS; load += 1)
        await visits.visit({
          state: { ...state, prepare: (page) => page.waitForLoadState('networkidle') },
          size: width === 390 ? 'phone' : 'desk',
          viewport: { width, height: width === 390 ? 844 : 900 },
          act: async (page) => void shifts.push(await shiftOf(page)),
        })
      const worst = Math.max(...shifts)
      console.log(`${name} at ${width}: ${worst.toFixed(3)}`)
      expect(worst, `${name} at ${width}`).toBeLessThanOrEqual(most)
    }
  },
  TIMEOUT_MS,
)

/** Of a colour on what lies behind it. */
const contrastOf = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      if (!context) throw new Error('No canvas')
      const lightness = (of: Element): number => {
        context.clearRect(0, 0, 1, 1)
        context.fillStyle = getComputedStyle(of).backgroundColor
        context.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
        if (alpha === 0) return of.parentElement ? lightness(of.parentElement) : 1
        const [red = 0, green = 0, blue = 0] = [r, g, b].map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const [dark = 0, light = 0] = [
        lightness(element),
        lightness(element.parentElement as Element),
      ].toSorted((one, other) => one - other)
      return (light + 0.05) / (dark + 0.05)
    })

// The guard's own skeleton stays hidden in the page once the boundary around it shows another.
const SKELETON = 'main [role=status] .bg-skeleton:visible'
const CODE = /\/assets\/(?!library).*-route-/
const withCode = Object.keys(PAGES).filter((name) => name !== 'library')

test.each(withCode.flatMap((name) => (['light', 'dark'] as const).map((theme) => [name, theme] as const)))(
  'Before a page’s code is there, its title stands above a skeleton that is seen in both themes. (%s, %s)',
  async (name, colorScheme) => {
    const { prepare, opener, network, ...state } = stateNamed(name)
    await visits.visit({
      state: { ...state, network: together(...(network ? [network] : []), never(CODE)) },
      size: 'desk',
      colorScheme,
      act: async (page) => {
        // Not the page's own frame, which the app takes the place of.
        await page.locator(SKELETON).first().waitFor()
        const title = page.getByRole('main').getByRole('heading', { level: 1 })
        await expect.poll(async () => (await title.boundingBox())?.width ?? 0).toBeGreaterThan(30)
        expect(await contrastOf(page, SKELETON)).toBeGreaterThanOrEqual(1.29)
        expect(await page.locator('main .animate-spin').count()).toBe(0)
      },
    })
  },
  TIMEOUT_MS,
)
