/** The attribute of controls that are still to be measured. */
export const UNMEASURED = 'data-unmeasured'

/**
 * Runs in the page: marks each visible control with a new look; returns the looks. Controls look alike if they have
 * the same classes and states, inside and around them.
 */
export function markDistinct({
  selector,
  known,
  mark,
}: {
  selector: string
  known: number[]
  mark: string
}): number[] {
  const NUMBER = /\d+/g
  const TELLING =
    /^(class|role|type|href|disabled|readonly|multiple|data-(?!execution|tag-id|unmeasured).*|aria-(busy|checked|current|disabled|expanded|invalid|pressed|selected|haspopup|controls))$/
  const COLOURED = /color|background|opacity|--/
  const STATES = [':checked', ':disabled', ':read-only', ':invalid', ':placeholder-shown', ':focus']
  const isThere = /^(href|aria-controls)$/
  const describe = (element: Element) => {
    const telling = [...element.attributes]
      .filter(({ name }) => TELLING.test(name))
      .map(({ name, value }) => `${name}=${isThere.test(name) ? '' : value.replaceAll(NUMBER, '#')}`)
    const style = element.getAttribute('style') ?? ''
    // Where something floats is no part of its look.
    const paint = style.split(';').filter((each) => COLOURED.test(each) && !each.includes('--radix'))
    return [element.localName, ...telling.sort(), ...paint].join(' ')
  }
  const inside = (element: Element): string => {
    const states = STATES.filter((state) => element.matches(state))
    const children = [...element.childNodes].map((node) => {
      if (node instanceof Element) return node instanceof SVGElement ? describe(node) : inside(node)
      return (node.textContent ?? '').trim() === '' ? '' : 'text'
    })
    return `${describe(element)} ${states.join()} (${children.join()})`
  }
  const hash = (text: string) => {
    let value = 2166136261
    let other = 5381
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      value = Math.imul(value ^ code, 16777619)
      other = Math.imul(other, 33) ^ code
    }
    return (value >>> 0) * 2 ** 20 + ((other >>> 0) % 2 ** 20)
  }

  const seen = new Set(known)
  const found: number[] = []
  const grounds = new Map<Element, string>()
  const around = (element: Element | null): string => {
    if (!element) return ''
    const ground = grounds.get(element) ?? `${around(element.parentElement)} > ${describe(element)}`
    grounds.set(element, ground)
    return ground
  }
  for (const control of document.querySelectorAll(selector)) {
    const { width, height } = control.getBoundingClientRect()
    const isShown =
      width > 2 && height > 2 && control.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!isShown || control.closest('[inert], [aria-hidden=true]')) continue
    const look = hash(`${around(control.parentElement)} > ${inside(control)}`)
    if (seen.has(look)) continue
    seen.add(look)
    found.push(look)
    control.setAttribute(mark, '')
  }
  return found
}
