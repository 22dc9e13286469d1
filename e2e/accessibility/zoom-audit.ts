import type { Page } from 'playwright-core'
import { SURFACES } from '../states/state.ts'
import { settle } from '../states/visits.ts'
import { findOverflow } from './page-audit.ts'

/** A window of 1440 × 900 at 200 %. */
const ZOOMED = { width: 720, height: 450 }
const CONTROLS = 'a[href], button, input, textarea, select, [role=switch], [role=tab], [role=radio]'

/** What scrolls sideways at 200 %, and controls that no scrolling brings into view. */
export async function findLostByZoom(page: Page): Promise<string[]> {
  await page.setViewportSize(ZOOMED)
  // A menu was opened from what is in sight, and follows it a frame later.
  await page.evaluate(() => {
    document.querySelector('main [aria-haspopup][aria-expanded=true]')?.scrollIntoView({ block: 'center' })
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
  await settle(page)
  return [...(await findOverflow(page)), ...(await findOutOfReach(page))]
}

function findOutOfReach(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ surfaces, controls }) => {
      const top = [...document.querySelectorAll(surfaces)].at(-1) ?? document.body
      const lost: string[] = []
      for (const element of top.querySelectorAll(controls)) {
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        if (element.closest('[inert], [aria-hidden=true], .sr-only')) continue
        element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
        // What waits above the page for the focus is not lost.
        if (width < 3 || bottom < 0) continue
        const isIn =
          left >= -1 &&
          right <= innerWidth + 1 &&
          top >= -1 &&
          (bottom <= innerHeight + 1 || height > innerHeight)
        const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
        if (!isIn)
          lost.push(
            `${element.tagName.toLowerCase()} “${name}” stays at ${Math.round(left)}–${Math.round(right)}, ${Math.round(top)}–${Math.round(bottom)}`,
          )
      }
      return lost
    },
    { surfaces: SURFACES, controls: CONTROLS },
  )
}
