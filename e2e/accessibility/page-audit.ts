import type { Page } from 'playwright-core'

const CONTROLS =
  'a[href], button, input, textarea, select, [role=switch], [role=tab], [role=radio], [role^=menuitem], [role=option], [role=combobox], [contenteditable=true]'

/** Many small things side by side, and texts that are only read: large enough is enough. */
const SECONDARY = '[data-tag-id], [aria-label^="Remove "], [readonly]'
const LEAST = 24
const TOAST = 'li[data-swipe-direction]'

/** Controls that a pointer can reach, whose area is less than so many pixels wide or high. */
export function findSmallTargets({ page, primary }: { page: Page; primary: number }): Promise<string[]> {
  return page.evaluate(
    ({ selector, secondary, secondaryLeast, primary, toast }) => {
      const name = (element: Element) =>
        `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`
      const hits = (element: Element, x: number, y: number) => {
        const hit = document.elementFromPoint(x, y)
        if (!hit) return false
        // What lies under a toast is there again once that has gone.
        if (hit.closest(toast) && !element.closest(toast)) return true
        return element.contains(hit) || hit.closest('label')?.control === element
      }
      const isInText = (element: Element) =>
        element.matches('a, button') &&
        getComputedStyle(element).display === 'inline' &&
        element.parentElement?.textContent?.trim() !== element.textContent?.trim()
      const isCut = (
        element: Element,
        edges: { left: number; top: number; right: number; bottom: number },
      ) => {
        for (let around = element.parentElement; around; around = around.parentElement) {
          if (!/auto|scroll/.test(getComputedStyle(around).overflow)) continue
          const box = around.getBoundingClientRect()
          if (
            edges.left < box.left ||
            edges.top < box.top ||
            edges.right > box.right ||
            edges.bottom > box.bottom
          )
            return true
        }
        return false
      }
      const small: string[] = []
      for (const element of document.querySelectorAll(selector)) {
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        if (element.matches(':disabled, [aria-disabled=true], [data-disabled]') || isInText(element)) continue
        const { left, top, width, height } = element.getBoundingClientRect()
        const least = element.matches(secondary) ? secondaryLeast : primary
        const reach = least / 2 - 1
        const x = left + width / 2
        const y = top + height / 2
        // Covered, scrolled away or for assistive technology only.
        if (width < 2 || !hits(element, x, y)) continue
        if (isCut(element, { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach })) continue
        const run = (dx: number, dy: number) => {
          let length = 0
          while (length < least && hits(element, x + dx * (length + 1), y + dy * (length + 1))) length += 1
          return length
        }
        // Half a pixel may be lost at each edge.
        const isWide = width >= least || run(-1, 0) + run(1, 0) + 2 >= least
        const isHigh = height >= least || run(0, -1) + run(0, 1) + 2 >= least
        if (!isWide || !isHigh) small.push(`${name(element)} ${Math.round(width)}×${Math.round(height)}`)
      }
      return small
    },
    { selector: CONTROLS, secondary: SECONDARY, secondaryLeast: LEAST, primary, toast: TOAST },
  )
}

/** What makes the page scroll sideways or lies beyond its edges. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
    const width = document.documentElement.clientWidth
    const found: string[] = []
    const content = document.scrollingElement?.scrollWidth ?? 0
    if (content > width) found.push(`the page is ${content} px wide`)
    const isOnPurpose = (element: Element | null): boolean =>
      element !== null &&
      (getComputedStyle(element).textOverflow === 'ellipsis' ||
        (/auto|scroll/.test(getComputedStyle(element).overflowX) &&
          element.scrollWidth > element.clientWidth) ||
        isOnPurpose(element.parentElement))
    for (const element of document.querySelectorAll(`${selector}, h1, h2, h3, p`)) {
      const box = element.getBoundingClientRect()
      const isOut = box.right > width + 1 || box.left < -1
      if (!isOut || box.bottom < 0 || box.width < 2) continue
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      if (isOnPurpose(element)) continue
      found.push(
        `${element.tagName.toLowerCase()} “${element.textContent?.trim().slice(0, 40)}” from ${Math.round(box.left)} to ${Math.round(box.right)} of ${width}`,
      )
    }
    return found
  }, CONTROLS)
}
