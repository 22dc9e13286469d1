import type { Page } from 'playwright-core'

declare global {
  interface Window {
    notes: { paint: number; inputs: number[]; frames: number[] }
  }
}

interface Watched {
  /** The selector of an element that is there once the page shows its data. */
  shown: string
  /** How the address that it reads ends. */
  read: string
}

/** Has the page note its frames, the time to each input's answer, and, if asked, the time from what it read to the frame that shows it. */
export async function takeNotes(page: Page, watched: Watched | null = null): Promise<void> {
  await page.addInitScript(watch, watched)
}

/** Runs in the page before anything else. */
function watch(watched: Watched | null): void {
  window.notes = { paint: 0, inputs: [], frames: [] }
  let last = performance.now()
  const frame = (now: number) => {
    window.notes.frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) window.notes.inputs.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  if (watched === null) return
  const { shown, read } = watched
  const content = new MutationObserver(() => {
    if (document.querySelector(shown) === null) return
    content.disconnect()
    // The frame that follows the next one has been painted.
    requestAnimationFrame(() => {
      setTimeout(() => {
        const replies = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(read))
        const { responseEnd } = replies.at(-1) as PerformanceResourceTiming
        window.notes.paint = performance.now() - responseEnd
      })
    })
  })
  content.observe(document, { childList: true, subtree: true })
}

/** Milliseconds from the last byte that was read to the frame that showed it, once that was drawn. */
export async function paintOf(page: Page): Promise<number> {
  await page.waitForFunction(() => window.notes.paint > 0)
  return page.evaluate(() => window.notes.paint)
}

/** The longest, in milliseconds, that the page noted while this was done, and while its effects lasted. */
export async function worst({
  page,
  kind,
  act,
}: {
  page: Page
  kind: 'inputs' | 'frames'
  act: () => Promise<void>
}): Promise<number> {
  await page.evaluate(() => {
    window.notes.inputs = []
    window.notes.frames = []
  })
  await act()
  await page.waitForTimeout(kind === 'frames' ? 200 : 800)
  return page.evaluate((kind) => Math.max(0, ...window.notes[kind]), kind)
}
