import { afterAll, beforeAll, describe, test } from 'vitest'
import { isFocusInside, walkThroughPage, walkThroughSurface } from './accessibility/focus-audit.ts'
import { watchMotion } from './accessibility/motion-audit.ts'
import { states } from './states/catalogue.ts'
import { type State, SURFACES } from './states/state.ts'
import { settle, startVisits, type Visits } from './states/visits.ts'

/** Pages that are walked through by Tab, and surfaces whose motion is measured. */
const WALKED = [
  ...['auth', 'library', 'library-list', 'library-guest', 'variables', 'chains', 'execute', 'execute-done'],
  ...[
    'api-access-token',
    'best-chain-selection',
    'history-entry',
    'not-found',
    'api-docs-section',
    'test-dashboard',
  ],
]
const MOVING = ['edit-prompt', 'drawer', 'category-menu', 'selection-delete', 'admin-settings']
const PATIENCE = { timeout: 10_000 }

let visits: Visits
beforeAll(async () => {
  visits = await startVisits()
})
afterAll(() => visits?.close())

describe.concurrent('by keyboard', () => {
  const opening = states.filter(({ opener, only }) => opener !== undefined && only !== 'phone')
  test.for(opening)(
    'What opens by keyboard keeps the focus, closes with Escape and returns the focus, which always shows. ($name)',
    (state, { expect }) =>
      visits.visit({
        state,
        size: 'desk',
        unopened: true,
        act: async (page) => {
          const open = () => page.locator(SURFACES).count()
          const opener = state.opener?.(page)
          await opener?.focus()
          const before = await open()
          const element = await opener?.elementHandle()
          const hasFocus = () => element?.evaluate((it) => it === document.activeElement)
          await page.keyboard.press('Enter')
          await expect.poll(open, PATIENCE).toBeGreaterThan(before)
          await expect.poll(() => isFocusInside(page), PATIENCE).toBe(true)
          expect(await walkThroughSurface(page)).toEqual([])
          await page.keyboard.press('Escape')
          await expect.poll(open, PATIENCE).toBe(before)
          await expect.poll(hasFocus, PATIENCE).toBe(true)
        },
      }),
  )

  test.for(WALKED.map(named))('$name shows where the focus is, to its end', (state, { expect }) =>
    visits.visit({
      state,
      size: 'desk',
      act: async (page) => {
        const { stops, problems } = await walkThroughPage(page)
        expect(problems).toEqual([])
        expect(stops.length).toBeGreaterThan(2)
      },
    }),
  )
})

describe.concurrent('motion', () => {
  test.for(MOVING.map(opened))(
    'Motion lasts 150 ms at most, and is gone with reduced motion. ($name)',
    ({ opener, ...state }, { expect }) =>
      visits.visit({
        state,
        size: state.only ?? 'desk',
        act: async (page) => {
          const longest = await watchMotion(page)
          const openAndClose = async () => {
            await opener(page).click()
            await page.locator(SURFACES).first().waitFor()
            await settle(page)
            await page.keyboard.press('Escape')
            await page.locator(SURFACES).first().waitFor({ state: 'detached' })
          }
          await openAndClose()
          expect(await longest()).toBeLessThan(1)
          await page.emulateMedia({ reducedMotion: 'no-preference' })
          await openAndClose()
          expect(await longest()).toBeGreaterThan(50)
          expect(await longest()).toBeLessThanOrEqual(150)
        },
      }),
  )
})

function named(name: string): State {
  const state = states.find((each) => each.name === name)
  if (!state) throw new Error(`The catalogue has no state '${name}'.`)
  return state
}

function opened(name: string) {
  const { opener, ...state } = named(name)
  if (!opener) throw new Error(`Nothing opens the state '${name}'.`)
  return { ...state, opener }
}
