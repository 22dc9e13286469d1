export interface Faint {
  what: string
  ratio: number
  least: number
}

/** Runs in the page: what of its controls stands out too little from what is behind it. */
export function findFaint({ selector, isFocused }: { selector: string; isFocused: boolean }): Faint[] {
  /** WCAG 1.4.3 and 1.4.11; of a disabled control, which they except, what can still be read. */
  const LEAST = { text: 4.5, large: 3, shape: 3, disabled: 3 }
  type Colour = [number, number, number, number]
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const known = new Map<string, Colour>()
  /** What the browser makes of any notation of a colour. */
  const parse = (text: string): Colour => {
    const seen = known.get(text)
    if (seen) return seen
    const colour: Colour = [0, 0, 0, 0]
    if (pen && text !== 'transparent') {
      pen.clearRect(0, 0, 1, 1)
      pen.fillStyle = text
      pen.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data
      colour.splice(0, 4, red, green, blue, alpha / 255)
    }
    known.set(text, colour)
    return colour
  }
  const over = (front: Colour, back: Colour, opacity = 1): Colour => {
    const part = front[3] * opacity
    const mix = (index: 0 | 1 | 2) => front[index] * part + back[index] * (1 - part)
    return [mix(0), mix(1), mix(2), 1]
  }
  const luminance = (colour: Colour) => {
    const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ratioOf = (one: Colour, other: Colour) => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  /** What is drawn in an element, and its ground, as they reach the eye through every ancestor. */
  const seen = (element: Element, colour: string) => {
    const ancestors: CSSStyleDeclaration[] = []
    for (let each: Element | null = element; each; each = each.parentElement)
      ancestors.unshift(getComputedStyle(each))
    let ground: Colour = [255, 255, 255, 1]
    const faded: { behind: Colour; opacity: number }[] = []
    for (const { backgroundColor, opacity } of ancestors) {
      if (opacity !== '1') faded.push({ behind: ground, opacity: Number(opacity) })
      ground = over(parse(backgroundColor), ground)
    }
    let front = over(parse(colour), ground)
    for (const { behind, opacity } of faded.reverse()) {
      front = over(front, behind, opacity)
      ground = over(ground, behind, opacity)
    }
    return { front, ground }
  }
  const contrast = (element: Element, colour: string) => {
    const { front, ground } = seen(element, colour)
    return ratioOf(front, ground)
  }
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return (
      width > 2 && height > 2 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    )
  }
  const nameOf = (element: Element) => {
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? ''
    return `${element.localName} “${name.trim().slice(0, 40)}”`
  }

  const found: Faint[] = []
  const check = (what: string, ratio: number, least: number) => {
    if (ratio < least - 0.05) found.push({ what, ratio: Math.round(ratio * 100) / 100, least })
  }

  const checkText = (control: Element, isDisabled: boolean) => {
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT)
    let count = 0
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (!parent || (node.textContent ?? '').trim() === '' || !isShown(parent)) continue
      count += 1
      const { color, fontSize, fontWeight } = getComputedStyle(parent)
      const size = Number.parseFloat(fontSize)
      const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700)
      const least = isDisabled ? LEAST.disabled : isLarge ? LEAST.large : LEAST.text
      check(`text of ${nameOf(control)}`, contrast(parent, color), least)
    }
    return count
  }

  const checkField = (control: Element, isDisabled: boolean) => {
    const isField = control.matches(
      'input:not([type]), input[type=text], input[type=number], input[type=datetime-local], input[type=email], input[type=password], input[type=search], textarea, select, [role=combobox], [role=switch]',
    )
    // A button with a label chooses what a field would hold.
    const isChooser = control instanceof HTMLButtonElement && control.labels.length > 0
    if (isDisabled || !(isField || isChooser)) return
    const box = getComputedStyle(control)
    const around = control.parentElement
    if (!around || box.backgroundColor === 'rgba(0, 0, 0, 0)') return
    // In a frame of its own a field has a line below it only.
    const edges = (['Top', 'Bottom'] as const)
      .filter((side) => box[`border${side}Width`] !== '0px')
      .map((side) => contrast(around, box[`border${side}Color`]))
    check(
      `edge of ${nameOf(control)}`,
      Math.max(contrast(around, box.backgroundColor), ...edges),
      LEAST.shape,
    )
  }

  /** How focus is shown: by a ring of the element, of its field or of its pseudo-elements. */
  const ringsOf = (control: Element) => {
    const marks: { of: Element; colour: string }[] = []
    for (const [element, pseudo] of [
      [control, undefined],
      [control, '::before'],
      [control, '::after'],
      [control.closest('.field-ring'), undefined],
      [control.parentElement, undefined],
    ] as const) {
      if (!element) continue
      const style = getComputedStyle(element, pseudo)
      const shadow = style.boxShadow
        .split(/, (?![^(]*\))/)
        .flatMap((each) => /^(.+) 0px 0px 0px 3px$/.exec(each)?.[1] ?? [])[0]
      if (style.outlineStyle !== 'none' && style.outlineWidth !== '0px')
        marks.push({ of: element, colour: style.outlineColor })
      if (shadow) marks.push({ of: element, colour: shadow }, { of: element, colour: style.borderTopColor })
    }
    return marks
  }

  const checkRing = (control: Element) => {
    const ratios = ringsOf(control).map((mark) => contrast(mark.of.parentElement ?? mark.of, mark.colour))
    check(`ring of ${nameOf(control)}`, Math.max(1, ...ratios), LEAST.shape)
  }

  /** An entry of a menu or a list differs from its neighbours by its background. */
  const checkEntry = (entry: Element) => {
    const ground = () => getComputedStyle(entry).backgroundColor
    const before = ground()
    const marks = [
      ['data-highlighted', ''],
      ['data-selected', 'true'],
      ['aria-selected', 'true'],
    ] as const
    const kept = marks.map(([name]) => entry.getAttribute(name))
    for (const [name, value] of marks) entry.setAttribute(name, value)
    const isDistinct = kept.some((value) => value !== null && value !== 'false') || ground() !== before
    check(`ground of ${nameOf(entry)}`, isDistinct ? LEAST.shape : 1, LEAST.shape)
    checkText(entry, false)
    marks.forEach(([name], index) => {
      const value = kept[index] ?? null
      if (value === null) entry.removeAttribute(name)
      else entry.setAttribute(name, value)
    })
  }

  const checkFocus = (control: Element) => {
    if (control.matches('[role^=menuitem], [role=option]')) return checkEntry(control)
    const isReached = control.matches('[role=tab], [role=radio]') || (control as HTMLElement).tabIndex >= 0
    // The only field of a list shows focus by its caret.
    const hasCaret = control.matches('[role=combobox][aria-controls]:read-write')
    if (isReached && !hasCaret) checkRing(control)
  }

  for (const control of document.querySelectorAll(selector)) {
    if (!isShown(control) || control.closest('[inert], [aria-hidden=true]')) continue
    const isDisabled = control.matches(':disabled, [aria-disabled=true], [data-disabled]')
    if (isFocused) {
      if (!isDisabled) checkFocus(control)
      continue
    }
    const texts = checkText(control, isDisabled)
    if (texts === 0) {
      for (const icon of control.querySelectorAll('svg')) {
        if (isShown(icon))
          check(`icon of ${nameOf(control)}`, contrast(icon, getComputedStyle(icon).color), LEAST.shape)
      }
    }
    checkField(control, isDisabled)
  }
  return found
}
