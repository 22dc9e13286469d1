import type { BrowserContext, Page } from 'playwright-core'

declare global {
  interface Window {
    /** What this page put on the clipboard last. */
    lastCopied?: string
  }
}

/** Lets its pages use the clipboard, which all journeys of a run share: each page remembers what it put there. */
export async function allowClipboard(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.addInitScript(() => {
    const { clipboard } = navigator
    // Only a page of https or of this machine has one; elsewhere what is selected is copied.
    document.addEventListener('copy', () => {
      const field = document.activeElement
      if (field instanceof HTMLTextAreaElement)
        window.lastCopied = field.value.slice(field.selectionStart, field.selectionEnd)
    })
    if (clipboard === undefined) return
    const write = clipboard.write.bind(clipboard)
    const writeText = clipboard.writeText.bind(clipboard)
    clipboard.write = async (items) => {
      await write(items)
      window.lastCopied = await (await items[0]?.getType('text/plain'))?.text()
    }
    clipboard.writeText = async (text) => {
      await writeText(text)
      window.lastCopied = text
    }
  })
}

/** What the page copied since it was loaded, or since the last reset. */
export const lastCopied = (page: Page): Promise<string | undefined> => page.evaluate(() => window.lastCopied)

export async function forgetCopied(page: Page): Promise<void> {
  await page.evaluate(() => {
    delete window.lastCopied
  })
}
