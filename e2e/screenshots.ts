import type { Page } from 'playwright-core'

export interface Screenshot {
  name: string
  /** A path of the app; `:prompt` becomes the id of the first seeded prompt. */
  path: string
  /** Seen by a visitor without an account. */
  signedOut?: boolean
  /** Brings the page to what the picture shows. */
  prepare?: (page: Page) => Promise<void>
}

/** Every picture that `npm run screenshots` takes, in light and dark, on a desk and on a phone. */
export const screenshots: Screenshot[] = [
  { name: 'auth', path: '/auth', signedOut: true },
  { name: 'library', path: '/' },
  { name: 'execute', path: '/execute/:prompt' },
  {
    name: 'execute-done',
    path: '/execute/:prompt',
    prepare: async (page) => {
      await page.getByLabel('customer', { exact: true }).fill('Grace')
      await page.keyboard.press('Control+Enter')
      await page.getByText('Done', { exact: true }).waitFor()
    },
  },
  { name: 'execute-history', path: '/execute/:prompt?history=open&tab=history' },
  { name: 'execute-dialog', path: '/?execute=:prompt' },
  { name: 'execute-missing', path: '/execute/999999' },
  {
    name: 'palette',
    path: '/',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command palette' }).fill('re')
    },
  },
  {
    name: 'shortcuts',
    path: '/',
    prepare: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'prompt-builder',
    path: '/?prompt=new',
    prepare: async (page) => {
      await page.getByRole('radio', { name: 'Advanced' }).click()
      await page.getByRole('textbox', { name: 'Core Task' }).fill('Review $<diff>. Name defects first.')
      await page.getByRole('button', { name: 'No Workarounds' }).click()
      await page.getByRole('textbox', { name: 'Text of the generated prompt' }).waitFor()
    },
  },
  {
    name: 'prompt-versions',
    path: '/?prompt=:prompt',
    prepare: async (page) => {
      await page.getByRole('button', { name: /versions?$/ }).click()
      await page.getByRole('radio', { name: 'Version 1' }).waitFor()
    },
  },
  { name: 'not-found', path: '/no-such-page' },
]
