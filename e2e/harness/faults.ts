import type { Page } from 'playwright-core'

/** What comes back in the server's place: a reply, a cut connection, or nothing at all. */
type Fault = { status: number; json?: unknown; text?: string; type?: string } | 'cut' | 'silence'

export interface InjectedFault {
  page: Page
  /** Method and path, such as `DELETE /api/prompts/*`. */
  call: string
  fault: Fault
}

/** Puts a fault on the network for every such call of the page; gives how often the call was made. */
export async function injectFault({ page, call, fault }: InjectedFault): Promise<() => number> {
  const [method = '', path = ''] = call.split(' ')
  let calls = 0
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    calls += 1
    if (fault === 'cut') return route.abort('connectionreset')
    if (fault === 'silence') return
    const { status, json, text = '', type = 'text/plain' } = fault
    await route.fulfill(json === undefined ? { status, body: text, contentType: type } : { status, json })
  })
  return () => calls
}
