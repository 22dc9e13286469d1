import type { BrowserContext, Page } from 'playwright-core'

export interface InjectionWatch {
  /** Scripts that ran, dialogs, frames, requests to elsewhere and breaches of the policy, in words. */
  incidents: string[]
}

const BINDING = 'reportInjection'

/** Notes everything that only a foreign script or markup would do in the pages of a context. */
export async function watchInjection({
  context,
  origin,
}: {
  context: BrowserContext
  origin: string
}): Promise<InjectionWatch> {
  const incidents: string[] = []
  await context.exposeBinding(BINDING, (_source, incident: string) => incidents.push(incident))
  await context.addInitScript((binding) => {
    const report = (incident: string) =>
      (window as unknown as Record<string, (text: string) => void>)[binding]?.(incident)
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'] as const) {
      Object.defineProperty(window, name, { value: () => report(`${name} was called`) })
    }
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      report(`the policy was breached: ${violatedDirective} ${blockedURI} ${sample}`),
    )
  }, BINDING)
  context.on('page', (page) => watchPage({ page, origin, incidents }))
  return { incidents }
}

function watchPage({ page, origin, incidents }: { page: Page; origin: string; incidents: string[] }): void {
  page.on('dialog', (dialog) => {
    incidents.push(`a dialog opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?|ftp):$/.test(url.protocol) && url.origin !== origin)
      incidents.push(`a request to ${url}`)
  })
  page.on('frameattached', () => incidents.push('a frame was added'))
  page.on('popup', () => incidents.push('a window was opened'))
  page.on('pageerror', (error) => incidents.push(`the page broke: ${error}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Content-Security-Policy/.test(message.text())) {
      incidents.push(`the console says: ${message.text()}`)
    }
  })
}

/** What stands in the page though no foreign text may put it there. */
export function findUnsafeMarkup(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const report = (rule: string, element: Element) =>
      found.push(`${rule}: ${element.outerHTML.slice(0, 160)}`)
    const isApart = ({ rel }: HTMLAnchorElement) => rel.includes('noopener') && rel.includes('noreferrer')
    for (const element of document.querySelectorAll('iframe, frame, object, embed, applet, base, portal')) {
      report('embeds', element)
    }
    for (const element of document.querySelectorAll(
      'body script:not([src^="/"]), body meta, body link, body title',
    )) {
      report('belongs to a head', element)
    }
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || name === 'srcdoc' || name === 'formaction' || name === 'ping')
          report(name, element)
        if (/^(javascript|data|vbscript|blob):/i.test(value.trim()) && /href|src|action|data/.test(name))
          report(name, element)
      }
    }
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
      if (!/^(https?:|mailto:)$/.test(link.protocol)) report('leads elsewhere', link)
    }
    for (const link of document.querySelectorAll<HTMLAnchorElement>('.rich-text a[href]')) {
      const isInside = /^#(user-)?content-/.test(link.getAttribute('href') ?? '')
      if (!isInside && !isApart(link)) report('is not set apart', link)
    }
    for (const element of document.querySelectorAll<HTMLElement>('.rich-text *')) {
      if (
        /^(svg|math|img|form|input|button|select|textarea|style|video|audio|template|dialog)$/i.test(
          element.tagName,
        )
      ) {
        report('is no text', element)
      }
      if (element.id !== '' && !/^(user-)?content-/.test(element.id)) report('takes an id', element)
      if (element.hasAttribute('name')) report('takes a name', element)
      const style = element.getAttribute('style') ?? ''
      if (/url|image-set|expression|position|transform|inset|z-index|behavior|binding|--/i.test(style))
        report('has a style', element)
      const isOurs = (name: string) =>
        /^(content-|rich-|raw-lines$|hljs|code-block|writing-cursor)/.test(name)
      if (element.closest('pre') === null && ![...element.classList].every(isOurs))
        report('takes a class', element)
    }
    return found
  })
}

/** What a preview gives a foreign page beyond its looks. */
export function findUnsafePreview(page: Page): Promise<string[]> {
  return page.locator('iframe').evaluateAll((frames) =>
    frames.flatMap((frame) => {
      const found = frame.getAttribute('sandbox') === '' ? [] : ['the frame has rights']
      const { head, all } = new DOMParser().parseFromString(frame.getAttribute('srcdoc') ?? '', 'text/html')
      const policy = head.firstElementChild?.getAttribute('content') ?? ''
      if (!policy.startsWith("default-src 'none';")) found.push(`the policy begins with ${policy}`)
      const allowed = /^(class|id|alt|title|lang|dir|width|height|colspan|rowspan|data-tag)$/
      for (const element of [...all].slice(4)) {
        const isPicture = (name: string) =>
          name === 'src' && element.getAttribute(name)?.startsWith('data:image/')
        const names = element.getAttributeNames().filter((name) => !allowed.test(name) && !isPicture(name))
        const isForeign = /^(script|style|link|meta|base|iframe|object|embed|form|svg|math)$/i.test(
          element.tagName,
        )
        if (isForeign || names.length > 0) found.push(element.outerHTML.slice(0, 160))
      }
      return found
    }),
  )
}
