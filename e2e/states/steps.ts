import type { Locator, Page } from 'playwright-core'

/** An action on a page, which ends when its outcome is visible. */
export type Step = (page: Page) => Promise<unknown>
type Name = string | RegExp

/** A button by its name. */
export const button = (name: Name) => (page: Page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()

/** A link by its name. */
export const link = (name: Name) => (page: Page) =>
  page.getByRole('link', { name, exact: typeof name === 'string' }).first()

/** Presses a button. */
export const press = (name: Name) => (page: Page) => button(name)(page).click()

/** The menu in the header of a page, which is named after what the page shows. */
export const headerMenu = (page: Page) =>
  page
    .locator('main header')
    .first()
    .getByRole('button', { name: /^More: / })

/** Chooses from the menu of a page’s header. */
export const pickInHeader = (item: string): Step =>
  inTurn(
    (page) => headerMenu(page).click(),
    (page) => page.getByRole('menuitem', { name: item }).click(),
  )

/** Chooses from the menu of a button. */
export const pick = (menu: Name, item: string): Step =>
  inTurn(press(menu), (page) => page.getByRole('menuitem', { name: item }).click())

/** Fills a field by its label. */
export const fill = (label: string, text: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(text)

/** Takes one of a few choices. */
export const choose = (label: string) => (page: Page) =>
  page.getByRole('radio', { name: label, exact: true }).click()

/** Waits for a text. */
export const seen = (text: Name) => (page: Page) =>
  page
    .getByText(text, { exact: typeof text === 'string' })
    .filter({ visible: true })
    .first()
    .waitFor()

/** Waits for what a locator finds. */
export const there = (find: (page: Page) => Locator) => (page: Page) => find(page).first().waitFor()

/** One step after the other. */
export const inTurn =
  (...steps: Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page)
  }

/** A prompt's card or row. */
export const card = (title: string) => (page: Page) => page.getByRole('article', { name: title, exact: true })

/** Waits for the steps of an open chain, which come after its head. */
export const chainShown = there((page) => page.getByRole('list', { name: 'Steps' }))

/** Waits for the library's first prompt, which a dialog that is there before it hides from assistive technology. */
export const cardsShown = there((page) => page.getByRole('article', { includeHidden: true }))

/** As a text: what runs the tests would take the import for its own. */
const TOASTS_READY = `(async () => {
  const isToasts = ({ name }) => name.includes('/assets/toast-viewport-')
  const code = performance.getEntriesByType('resource').find(isToasts)
  return code !== undefined && import(code.name).then(() => true)
})()`

/** Waits until the page can show a toast: the code for it comes while nothing else is to do, and without a network never. */
export const toastsReady: Step = (page) => page.waitForFunction(TOASTS_READY)

/** Waits until the page has asked ahead for code that it can't have: a press meanwhile would wait for that reply. */
export const codeMissed =
  (name: string): Step =>
  (page) =>
    page.waitForFunction(
      (part) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(part)),
      `/assets/${name}-`,
    )

/** Submits a form as it is and waits for what is wrong with it. */
export const submitEmpty = (submit: Name) =>
  inTurn(
    press(submit),
    there((page) => page.getByRole('alert')),
  )

/** Reloads the page with compact density. */
export const compactly: Step = async (page) => {
  await page.evaluate(() => localStorage.setItem('catenary.density', 'compact'))
  await page.reload()
  await page.locator('main').first().waitFor()
}

/** On a phone the sidebar is in the drawer. */
export const sidebarShown = inTurn(cardsShown, async (page) => {
  if (await button('Menu')(page).isVisible()) await press('Menu')(page)
})

/** On a chain's page; on phones what the header offers is in its menu. */
export const pressInHeader = (name: string) => async (page: Page) => {
  if (await button(name)(page).isVisible()) return press(name)(page)
  await headerMenu(page).click()
  await page.getByRole('menuitem', { name }).click()
}
