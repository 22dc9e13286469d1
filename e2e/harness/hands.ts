import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** How a person works on a page. */
export interface Hand {
  press(target: Locator): Promise<void>
  choose(radio: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
  /** Takes the offer that is open in a field. */
  take(field: Locator, offer: Locator): Promise<void>
}

export const mouse: Hand = {
  press: (target) => target.click(),
  choose: (radio) => radio.click(),
  async write(field, text) {
    await field.click()
    await field.page().keyboard.type(text)
  },
  take: (_, offer) => offer.click(),
}

export const keys: Hand = {
  async press(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async choose(radio) {
    const { keyboard } = radio.page()
    const group = radio.locator('xpath=..')
    await tabUntil(radio.page(), () => group.evaluate((list) => list.contains(document.activeElement)))
    for (let moves = 0; moves < 5 && !(await hasFocus(radio)); moves += 1) await keyboard.press('ArrowRight')
    await keyboard.press('Space')
  },
  async write(field, text) {
    await tabTo(field)
    await field.page().keyboard.type(text)
  },
  async take(field, offer) {
    await offer.waitFor()
    await field.page().keyboard.press('Enter')
  },
}

/** In place of what stands there. */
export async function write(
  page: Page,
  hand: Hand,
  { field, text }: { field: Locator; text: string },
): Promise<void> {
  await hand.write(field, '')
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

const tabTo = (target: Locator) => tabUntil(target.page(), () => hasFocus(target))

async function tabUntil(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await isThere()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there.')
}

export async function expectCleanPage(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
