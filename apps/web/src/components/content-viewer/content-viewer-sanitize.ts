import createPurifier from 'dompurify'
import { nestHeadings } from '../reader/headings.ts'
import type { ReadMarkup } from '../reader/read-markup.ts'
import { safeHref } from '../reader/safe-link.ts'
import { LINE } from '../reader/strip-markup.ts'

/** Keeps foreign ids and classes from meaning anything to the page. */
const PREFIX = 'content-'
/** Styles that can neither fetch anything nor leave their place. */
const STYLES = new Set([
  'color',
  'background-color',
  'font-style',
  'font-weight',
  'text-align',
  'text-decoration',
  'white-space',
  'vertical-align',
  'list-style-type',
  'width',
  'max-width',
  'border-collapse',
  'padding',
  'padding-top',
  'padding-right',
  'padding-bottom',
  'padding-left',
  'margin-top',
  'margin-bottom',
  'border',
  'border-top',
  'border-right',
  'border-bottom',
  'border-left',
])

export function sanitizeHtml({ html, attributes, tags }: ReadMarkup): DocumentFragment {
  const fragment = createPurifier(window).sanitize(html, {
    ALLOWED_TAGS: [...tags],
    ALLOWED_ATTR: ['data-tag'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const element of fragment.querySelectorAll<HTMLElement>('[data-tag]')) {
    const written = attributes[Number(element.dataset.tag)]
    element.removeAttribute('data-tag')
    if (written) setAttributes({ element, written })
  }
  const headings = [...fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const levels = nestHeadings(headings.map(({ tagName }) => Number(tagName.slice(1))))
  for (const [index, heading] of headings.entries()) {
    heading.setAttribute('aria-level', String(levels[index]))
  }
  return fragment
}

export function sanitizeHighlight(html: string): DocumentFragment {
  return createPurifier(window).sanitize(html, {
    ALLOWED_TAGS: ['span'],
    ALLOWED_ATTR: ['class'],
    RETURN_DOM_FRAGMENT: true,
  })
}

interface AttributesOptions {
  element: HTMLElement
  written: ReadonlyMap<string, string>
}

function setAttributes({ element, written }: AttributesOptions): void {
  const read = (name: string) => decodeEntities(written.get(name) ?? '')
  const id = read('id')
  if (id) element.id = PREFIX + id
  const classes = read('class').split(/\s+/).filter(Boolean)
  const line = written.get(LINE)
  const own = line === 'break' || line === 'paragraph' ? [`rich-${line}`] : []
  const names = [...own, ...classes.map((name) => PREFIX + name)]
  if (names.length > 0) element.className = names.join(' ')
  if (element instanceof HTMLAnchorElement) setLink({ element, href: read('href').trim() })
  for (const declaration of read('style').split(';')) setStyle({ element, declaration })
}

/** The content of a text area is always text. */
export function decodeEntities(value: string): string {
  if (!value.includes('&')) return value
  const area = document.createElement('textarea')
  area.innerHTML = value.replaceAll('<', '&lt;')
  return area.value
}

function setLink({ element, href }: { element: HTMLAnchorElement; href: string }): void {
  element.rel = 'noopener noreferrer'
  const isInside = href.startsWith('#')
  const safe = isInside ? `#${PREFIX}${href.slice(1)}` : safeHref(href)
  if (safe === null) return
  element.setAttribute('href', safe)
  if (!isInside) element.target = '_blank'
}

/** Set one by one through the object model, styles don't violate the page's policy. */
function setStyle({ element, declaration }: { element: HTMLElement; declaration: string }): void {
  const colon = declaration.indexOf(':')
  const name = declaration.slice(0, colon).trim().toLowerCase()
  const value = declaration.slice(colon + 1).trim()
  if (STYLES.has(name) && !/[\\(@]|\/\*/.test(withoutColours(value))) element.style.setProperty(name, value)
}

/** Colour functions are the only ones that may stay. */
function withoutColours(value: string): string {
  return value.replace(/\b(rgba?|hsla?|oklch|oklab)\([\d\s.,%/a-z-]*\)/gi, '')
}
