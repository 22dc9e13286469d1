import { endpointOf, replyOf } from '@catenary/contracts'
import type { Page, Request } from 'playwright-core'
import { confirmPage, renderPage } from '../../apps/server/src/features/mails/mail-pages.ts'

type Path = string | RegExp

const matches = (path: Path) => (url: URL) =>
  typeof path === 'string' ? url.pathname === path : path.test(url.pathname)

/** Requests to the path never get an answer. */
export function never(path: Path) {
  return (page: Page) => page.route(matches(path), () => undefined)
}

/** The path answers with this, or what this makes of the page, which its endpoint's table allows. */
export function answers(path: Path, answer: unknown, status = 200) {
  return (page: Page) =>
    page.route(matches(path), (route) => {
      const body: unknown = typeof answer === 'function' ? answer(page) : answer
      if (status < 300) schemaOf(route.request())?.parse(body)
      return route.fulfill({ status, json: body })
    })
}

/** What the endpoint replies, where it is JSON. */
function schemaOf(request: Request) {
  const endpoint = endpointOf(`${request.method()} ${new URL(request.url()).pathname}`)
  return endpoint && replyOf(endpoint)
}

/** The path fails as a server does. */
export function fails(path: Path) {
  return answers(path, { error: 'The database does not answer.' }, 500)
}

/** The path's own answer with some of it changed; of a list each entry. */
export function changes<T extends object>(path: Path, change: T | ((body: T) => T)) {
  const changed = (body: T): T => (typeof change === 'function' ? change(body) : { ...body, ...change })
  return (page: Page) =>
    page.route(matches(path), async (route) => {
      const reply = await route.fetch()
      const body = await reply.json()
      await route.fulfill({ response: reply, json: Array.isArray(body) ? body.map(changed) : changed(body) })
    })
}

const changedForGood = new WeakSet<Page>()

/** Whether the page answers itself, which nothing takes back: it shows no other state. */
export const isChangedForGood = (page: Page): boolean => changedForGood.has(page)

/** The path answers with a stream of these events, which stays open. */
export function streams(path: string, events: readonly { event: string; data: unknown }[]) {
  const text = events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('')
  return (page: Page) => {
    changedForGood.add(page)
    return page.addInitScript(
      ({ path, text }) => {
        const { fetch } = window
        window.fetch = async (input, init) => {
          const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
          if (pathname !== path) return fetch(input, init)
          const body = new ReadableStream({
            start: (stream) => stream.enqueue(new TextEncoder().encode(text)),
          })
          return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
        }
      },
      { path, text },
    )
  }
}

/** All of these. */
export function together(...each: ((page: Page) => Promise<unknown>)[]) {
  return async (page: Page) => {
    for (const one of each) await one(page)
  }
}

/** Overrides what the installation says of itself, in the page and in its call. */
export function installation(change: object) {
  const isPage = (url: URL) => !url.pathname.startsWith('/api/') && !url.pathname.includes('.')
  return async (page: Page) => {
    await changes('/api/instance', change)(page)
    await page.route(isPage, async (route) => {
      const reply = await route.fetch()
      const body = (await reply.text()).replace(/(?<=id="page-data"[^>]*>).*?(?=<\/script>)/, (text) => {
        const data = JSON.parse(text)
        return JSON.stringify({ ...data, instance: { ...data.instance, ...change } })
      })
      await route.fulfill({ response: reply, body })
    })
  }
}

/** The path can't be reached at all. */
export function unreachable(path: Path) {
  return (page: Page) => page.route(matches(path), (route) => route.abort())
}

/** Someone else saved the prompt first. */
export function refusesAsStale(page: Page) {
  return page.route(/\/api\/prompts\/\d+$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    const current = await route.fetch({ method: 'GET', postData: undefined })
    const theirs = { title: 'Notes to tasks', content: 'Someone else was faster.' }
    const details = { ...(await current.json()), ...theirs }
    return route.fulfill({ status: 409, json: { error: 'The prompt was changed meanwhile.', details } })
  })
}

/** From here on the page has no network, and knows it. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.waitForFunction(() => !navigator.onLine)
}

/** A link in a mail leads to the page that says this of it: of itself a link is expired only after days, and used up by one visit. */
export function mailPage(state: 'confirmed' | 'expired') {
  const subject = { username: 'grace', address: 'grace@example.org', isOwn: true, state }
  const { body } = renderPage(confirmPage(subject))
  return (page: Page) =>
    page.route(matches(/^\/api\/mail\/confirm\//), async (route) => {
      const reply = await route.fetch()
      const text = await reply.text()
      await route.fulfill({ response: reply, body: text.replace(/<main>.*<\/main>/s, () => body) })
    })
}
