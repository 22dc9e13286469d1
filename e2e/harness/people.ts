import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Api, createApi } from './api.ts'
import { openBrowser } from './browser.ts'
import { startServer } from './server.ts'

const PASSWORD = 'a bridge hangs by its own weight'

/** The program, and a browser in which one of its people after the other is signed in. */
export async function startForPeople() {
  const server = await startServer()
  const browser = await openBrowser()
  const { context } = browser

  async function signInAs(api: Api): Promise<void> {
    await context.clearCookies()
    await context.addCookies(api.cookies())
  }

  return {
    server,
    context,
    signInAs,

    /** The first one is an administrator. */
    async register(username: string): Promise<Api> {
      const api = createApi(server.url)
      await api.post('/api/register', { username, email: `${username}@example.org`, password: PASSWORD })
      return api
    },

    async openAs(api: Api, path: string): Promise<Page> {
      await signInAs(api)
      const page = await context.newPage()
      await page.goto(server.url + path)
      return page
    },

    async close(): Promise<void> {
      await browser.close()
      await server.dispose()
    },
  }
}
export type ForPeople = Awaited<ReturnType<typeof startForPeople>>

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
