import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { InjectionStage } from './stage.ts'
import { findUnsafeMarkup, watchInjection } from './watch.ts'

export interface WatchedPage {
  page: Page
  incidents: readonly string[]
  /** Fails if anything happened, or if something stands in the page that must not. */
  expectCalm(): Promise<void>
}

interface WatchedVisit {
  stage: InjectionStage
  path: string
  act: (watched: WatchedPage) => Promise<void>
}

/** Does something at a path of the app, signed in, with everything watched that a payload could do. */
export async function inWatchedPage({ stage, path, act }: WatchedVisit): Promise<void> {
  const context = await stage.browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  try {
    const { incidents } = await watchInjection({ context, origin: stage.server.url })
    await context.addCookies(stage.api.cookies())
    const page = await context.newPage()
    await page.goto(stage.server.url + path)
    const expectCalm = async () => {
      await drawn(page)
      expect(await findUnsafeMarkup(page)).toEqual([])
      expect(incidents).toEqual([])
    }
    await act({ page, incidents, expectCalm })
  } finally {
    await context.close()
  }
}

/** Goes to a path as a link inside the app does. */
export function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate((path) => history.pushState(null, '', path), path)
}

/** Runs the prompt in view; the key tells the fake model which answer is wanted. */
export async function run({ page, key, ending = 'Done' }: { page: Page; key: string; ending?: string }) {
  const context = page.getByRole('textbox', { name: 'Additional context' })
  if (!(await context.isVisible())) await page.getByRole('button', { name: 'Additional context' }).click()
  await context.fill(key)
  const reply = page.waitForResponse((each) => new URL(each.url()).pathname === '/api/execute-prompt')
  await page.keyboard.press('Control+Enter')
  await reply
  await page.getByText(ending, { exact: true }).first().waitFor()
}

interface Scroll extends Pick<WatchedPage, 'page' | 'expectCalm'> {
  /** A selector of the list's entries. */
  entry: string
}

/** Scrolls a list from its start to its end; gives the label, or first button, of each entry that was drawn. */
export async function scrollThrough({ page, expectCalm, entry }: Scroll): Promise<Set<string>> {
  const seen = new Set<string>()
  await page.locator(entry).first().waitFor()
  for (let isAtEnd = false; !isAtEnd; ) {
    await expectCalm()
    const labels = await page
      .locator(entry)
      .evaluateAll((all) =>
        all.map((each) => each.getAttribute('aria-label') ?? each.querySelector('button')?.textContent),
      )
    for (const label of labels) seen.add(label?.trim() ?? '')
    isAtEnd = await page
      .locator(entry)
      .first()
      .evaluate((first) => {
        let list: Element | null = first
        while (list && list.scrollHeight <= list.clientHeight) list = list.parentElement
        if (!list) return true
        const before = list.scrollTop
        list.scrollBy(0, list.clientHeight)
        return list.scrollTop === before
      })
  }
  return seen
}

/** Waits until what was changed is on the screen. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
