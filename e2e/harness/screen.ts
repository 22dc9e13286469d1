import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { headerMenu } from '../states/steps.ts'

/** On a busy machine a screen takes its time. */
export const PATIENCE = { timeout: 60_000 }

/** Waits until exactly this toast is seen, to the letter. */
export async function expectToast(
  page: Page,
  [title, description]: readonly [string, string],
): Promise<void> {
  const texts = () => page.locator('li[data-swipe-direction][data-state=open] > div > div').allTextContents()
  await expect.poll(texts, PATIENCE).toEqual([title, description])
}

/** Waits until the element reads so. */
export async function expectText(place: Locator, text: string | RegExp): Promise<void> {
  const read = async () => ((await place.first().textContent()) ?? '').trim()
  if (typeof text === 'string') await expect.poll(read, PATIENCE).toBe(text)
  else await expect.poll(read, PATIENCE).toMatch(text)
}

/** Waits until the address has this path and query. */
export async function expectAddress(page: Page, address: string): Promise<void> {
  const read = () => {
    const { pathname, search } = new URL(page.url())
    return pathname + search
  }
  await expect.poll(read, PATIENCE).toBe(address)
}

/** A prompt's card or row in the library. */
export function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title })
}

/** Chooses from the menu of a card or row. */
export async function chooseFor(card: Locator, item: string): Promise<void> {
  await card.getByRole('button', { name: /^More/ }).click()
  await card.page().getByRole('menuitem', { name: item }).click()
}

/** Chooses from the menu in the header of a prompt’s page. */
export async function chooseOnPage(page: Page, item: string | RegExp): Promise<void> {
  await headerMenu(page).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** The action closes the window, perhaps before the action has ended. */
export async function expectClosed(popup: Page, act: () => Promise<void>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!popup.isClosed()) throw error
  })
  await expect.poll(() => popup.isClosed(), PATIENCE).toBe(true)
}
