import type { Page } from 'playwright-core'

const EDGED = 'data-edged'
const CONTROLS = 'button, input, textarea, select, [role=switch], [role=tab], [role=radio], [role=checkbox]'
const CHOSEN =
  '[aria-checked=true], [aria-selected=true], [aria-pressed=true], [aria-current]:not([aria-current=false]), [data-state=on], [data-highlighted]'

/** What a person who forces colours no longer sees: a control’s edge, and which of several is chosen. */
export async function findLostInForcedColors(page: Page): Promise<string[]> {
  await page.evaluate(markEdged, { controls: CONTROLS, mark: EDGED })
  await page.emulateMedia({ forcedColors: 'active' })
  const lost = await page.evaluate(findLost, { mark: EDGED, chosen: CHOSEN })
  await page.emulateMedia({ forcedColors: null })
  return [...new Set(lost)]
}

/** Runs in the page: marks the controls that have a border or a ground of their own. */
function markEdged({ controls, mark }: { controls: string; mark: string }): void {
  for (const control of document.querySelectorAll(controls)) {
    const { width, height } = control.getBoundingClientRect()
    const isShown =
      width > 2 && height > 2 && control.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!isShown || control.closest('[inert], [aria-hidden=true]')) continue
    const { backgroundColor, borderBottomWidth, borderBottomColor } = getComputedStyle(control)
    const isClear = (color: string) => color === 'transparent' || /[,/] 0\)$/.test(color)
    const isEdged = borderBottomWidth !== '0px' && !isClear(borderBottomColor)
    if (isEdged || !isClear(backgroundColor)) control.setAttribute(mark, '')
  }
}

/** Runs in the page, while colours are forced. */
function findLost({ mark, chosen }: { mark: string; chosen: string }): string[] {
  const LIST =
    '[role=listbox], [role=menu], [role=tablist], [role=radiogroup], [role=toolbar], nav, ul, ol, table'
  const name = (element: Element) =>
    `${element.getAttribute('role') ?? element.localName} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`
  const ground = (element: Element | null): string => {
    if (!element) return 'canvas'
    const { backgroundColor } = getComputedStyle(element)
    return /[,/] 0\)$/.test(backgroundColor) ? ground(element.parentElement) : backgroundColor
  }
  const look = (element: Element): string => {
    const style = getComputedStyle(element)
    const own = [
      ground(element),
      style.color,
      style.borderWidth,
      style.borderColor,
      style.outlineStyle,
      style.outlineWidth,
      style.fontWeight,
      style.textDecorationLine,
      style.translate,
      style.transform,
      style.display,
      style.opacity,
      element.getAttribute('d') ?? '',
    ]
    return [own.join(), ...[...element.children].map(look)].join('; ')
  }
  const lost: string[] = []
  for (const control of document.querySelectorAll(`[${mark}]`)) {
    control.removeAttribute(mark)
    const { borderBottomWidth, borderBottomStyle, outlineStyle } = getComputedStyle(control)
    const hasEdge = (borderBottomWidth !== '0px' && borderBottomStyle !== 'none') || outlineStyle !== 'none'
    if (!hasEdge && ground(control) === ground(control.parentElement))
      lost.push(`${name(control)} has no edge`)
  }
  for (const element of document.querySelectorAll(chosen)) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const role = element.getAttribute('role')
    const alike = role ? `[role="${role}"]` : element.localName
    const others = [...(element.closest(LIST)?.querySelectorAll(alike) ?? [])].filter(
      (other) => other !== element && !other.matches(`${chosen}, :disabled, [data-disabled]`),
    )
    const shape = (of: Element) => [...of.querySelectorAll('*')].map(({ localName }) => localName).join()
    const same = others.find((other) => shape(other) === shape(element) && look(other) === look(element))
    if (same) lost.push(`${name(element)} looks like ${name(same)}`)
  }
  return lost
}
