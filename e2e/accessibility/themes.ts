import type { Page } from 'playwright-core'
import { settle } from '../states/visits.ts'

/** Turns the system's theme. Pages of the server's own take theirs once, as they load. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate((theme) => {
    const { dataset } = document.documentElement
    if (dataset.theme !== undefined) dataset.theme = theme
  }, theme)
  await settle(page)
}
