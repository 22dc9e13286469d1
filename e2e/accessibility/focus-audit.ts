import type { Page } from 'playwright-core'
import { SURFACES } from '../states/state.ts'

/** Where the focus is after a key, and whether a person sees it there. */
interface Stop {
  name: string
  isOnPage: boolean
  isInside: boolean
  isMarked: boolean
  isInSight: boolean
}

/** Presses Tab through the whole page; gives the stops where the focus can't be seen. */
export async function walkThroughPage(page: Page): Promise<{ stops: string[]; problems: string[] }> {
  const stops: string[] = []
  const problems: string[] = []
  for (let step = 0; step < MOST_STOPS; step += 1) {
    await page.keyboard.press('Tab')
    const stop = await readStop(page)
    if (!stop.isOnPage) break
    stops.push(stop.name)
    problems.push(...problemsOf(stop))
  }
  return { stops, problems }
}

/** Presses Tab and Shift+Tab in what is open on top; gives the stops outside of it or out of sight. */
export async function walkThroughSurface(page: Page): Promise<string[]> {
  const problems: string[] = []
  const inside = await page.locator(SURFACES).last().locator(FOCUSABLE).count()
  for (const key of [...Array<string>(Math.min(inside + 1, MOST_STOPS)).fill('Tab'), 'Shift+Tab']) {
    await page.keyboard.press(key)
    const stop = await readStop(page)
    if (stop.isInside) problems.push(...problemsOf(stop))
    else problems.push(`${key} left for ${stop.name}`)
  }
  return [...new Set(problems)]
}

/** Whether the focus is in what is open on top. */
export async function isFocusInside(page: Page): Promise<boolean> {
  return (await readStop(page)).isInside
}

const MOST_STOPS = 90
const FOCUSABLE = 'a[href], button, input, textarea, [tabindex="0"], [contenteditable=true]'

function problemsOf({ name, isMarked, isInSight }: Stop): string[] {
  return [
    ...(isMarked ? [] : [`${name} has the focus and does not show it`]),
    ...(isInSight ? [] : [`${name} has the focus out of sight`]),
  ]
}

function readStop(page: Page): Promise<Stop> {
  return page.evaluate((selector) => {
    const element = document.activeElement ?? document.body
    const surfaces = [...document.querySelectorAll(selector)]
    const top = surfaces.filter((each) => !each.parentElement?.closest(selector)).at(-1)
    const isMarkedBy = ({ outlineStyle, outlineWidth, boxShadow }: CSSStyleDeclaration) =>
      (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow.includes('0px 0px 0px 3px')
    const styles = [undefined, '::before', '::after'].map((pseudo) => getComputedStyle(element, pseudo))
    // An entry of a menu or a list shows focus by its colour, the only field of a list by its caret.
    const isTinted =
      element.matches('[data-highlighted]') && styles[0]?.backgroundColor !== 'rgba(0, 0, 0, 0)'
    const hasCaret = element.matches('[role=combobox][aria-controls]:read-write')
    const ring = element.closest('.field-ring')
    const label = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
    const box = element.getBoundingClientRect()
    const points = [0.5, 0.1, 0.9].map((part) =>
      document.elementFromPoint(
        box.left + box.width * part,
        box.top + Math.min(box.height, innerHeight) * part,
      ),
    )
    return {
      name: `${element.tagName.toLowerCase()} “${label.slice(0, 40)}”`,
      isOnPage: element !== document.body && element !== document.documentElement,
      isInside: top?.contains(element) ?? false,
      isMarked:
        styles.some(isMarkedBy) ||
        isTinted ||
        hasCaret ||
        (ring !== null && isMarkedBy(getComputedStyle(ring))),
      isInSight: points.some((hit) => hit !== null && (element.contains(hit) || hit.contains(element))),
    }
  }, SURFACES)
}
