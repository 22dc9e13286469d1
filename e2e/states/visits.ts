import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../harness/browser.ts'
import { isChangedForGood } from './network.ts'
import { openStage, type Stage } from './stage.ts'
import { type State, SURFACES } from './state.ts'

/** A desk with a mouse, and a phone that is touched. */
const sizes = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}
export type Size = keyof typeof sizes

interface VisitOptions {
  state: State
  size: Size
  /** Leaves the state's dialog, menu or list to be opened. */
  unopened?: boolean
  colorScheme?: 'light' | 'dark'
  /** Instead of the size's own. */
  viewport?: { width: number; height: number }
  act: (page: Page) => Promise<void>
}

export interface Visits {
  /** Shows the state, or what is before its last step, and does something with it. */
  visit(options: VisitOptions): Promise<void>
  close(): Promise<void>
}

/** A stage, and one browser whose pages are used again, one visit at a time: a new page takes longer than most visits. */
export async function startVisits(): Promise<Visits> {
  const browser = await launchBrowser()
  const stage = await openStage()
  const free: Record<Size, Page[]> = { desk: [], phone: [] }
  return {
    visit: async ({ size, unopened = false, act, ...look }) => {
      const page = free[size].pop() ?? (await openPage({ browser, size }))
      try {
        await show({ page, size, stage, ...look })
        if (!unopened) await open({ page, state: look.state })
        await settle(page)
        await act(page)
        await leave({ page, stage })
      } catch (error) {
        await page.context().close()
        throw error
      }
      if (isChangedForGood(page)) await page.context().close()
      else free[size].push(page)
    },
    close: async () => {
      await browser.close()
      await stage.close()
    },
  }
}

async function openPage({ browser, size }: { browser: Browser; size: Size }): Promise<Page> {
  const context = await browser.newContext({ ...sizes[size], reducedMotion: 'reduce' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  context.setDefaultTimeout(30_000)
  return context.newPage()
}

interface ShowOptions extends Pick<VisitOptions, 'state' | 'size' | 'colorScheme' | 'viewport'> {
  page: Page
  stage: Stage
}

/** Loads the state's page and prepares it. */
async function show({ page, state, size, stage, colorScheme = 'light', viewport }: ShowOptions) {
  await page.context().clearCookies()
  if (state.who !== 'guest') await page.context().addCookies(stage.apis[state.who].cookies())
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(viewport ?? sizes[size].viewport)
  await state.network?.(page)
  await page.goto(stage.server.url + withIds({ path: state.path, stage }))
  await page.locator('main').first().waitFor()
  await state.prepare?.(page)
}

function withIds({ path, stage }: { path: string; stage: Stage }): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const id = stage.ids[name]
    if (id === undefined) throw new Error(`The stage has no id for ':${name}' of '${path}'.`)
    return String(id)
  })
}

/** Presses what opens the state's dialog, menu or list. */
async function open({ page, state }: { page: Page; state: State }): Promise<void> {
  if (!state.opener) return
  const opener = state.opener(page)
  await opener.waitFor()
  const before = await page.locator(SURFACES).count()
  await opener.click()
  await page.locator(SURFACES).nth(before).waitFor()
}

/** Leaves nothing of a visit for the next one, nor the draft that a form keeps as its page is left. */
async function leave({ page, stage }: { page: Page; stage: Stage }): Promise<void> {
  await page.context().setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(`${stage.server.url}/robots.txt`)
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
}

/** Waits for the fonts and for everything that moves but does not turn forever. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const ending = document
      .getAnimations()
      .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(ending.map((each) => each.finished.catch(() => undefined)))
  })
}
