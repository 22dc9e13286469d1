import createPurifier from 'dompurify'

const TAGS = [
  ...['a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'ul', 'ol', 'li', 'span', 'div'],
  ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption', 'em', 'strong', 'b', 'i', 'u'],
]
/** Attributes of foreign HTML that may stay; all others leave. */
const ATTRIBUTES = ['href', 'target', 'class', 'id', 'style']
/** Looks that can neither fetch anything nor leave their place. */
const STYLES = new Set([
  ...['color', 'background-color', 'font-style', 'font-weight', 'text-align', 'text-decoration'],
  ...['white-space', 'vertical-align', 'list-style-type', 'width', 'max-width', 'border-collapse'],
  ...['padding', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left'],
  ...['margin-top', 'margin-bottom', 'border', 'border-top', 'border-right', 'border-bottom', 'border-left'],
])
/** Keeps foreign ids and classes from meaning anything to the page. */
const PREFIX = 'content-'
const SAFE_HREF = /^(https?:|mailto:|#)/i

/** Foreign HTML as nodes to put in the page: only the tags and attributes above. */
export function sanitizeHtml(html: string): DocumentFragment {
  // A style attribute would break the page's policy as soon as it is parsed; under another name it is only text.
  const purifier = createPurifier(window)
  const looks = new Map<Element, string>()
  purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
    if (attribute.attrName === 'style') {
      looks.set(element, attribute.attrValue)
      attribute.keepAttr = false
    }
  })
  const fragment = purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    FORBID_CONTENTS: ['style', 'script', 'title', 'head', 'noscript', 'template'],
    RETURN_DOM_FRAGMENT: true,
  })
  for (const element of fragment.querySelectorAll<HTMLElement>('*')) confine(element)
  for (const [element, style] of looks) if (element instanceof HTMLElement) dress({ element, style })
  return fragment
}

/** What the highlighter wrote, held to what it may write. */
export function sanitizeHighlight(html: string): DocumentFragment {
  return createPurifier(window).sanitize(html, {
    ALLOWED_TAGS: ['span'],
    ALLOWED_ATTR: ['class'],
    RETURN_DOM_FRAGMENT: true,
  })
}

function confine(element: HTMLElement): void {
  if (element.id !== '') element.id = `${PREFIX}${element.id}`
  const classes = [...element.classList].map((name) => `${PREFIX}${name}`)
  if (classes.length > 0) element.className = classes.join(' ')
  if (!(element instanceof HTMLAnchorElement)) {
    element.removeAttribute('href')
    element.removeAttribute('target')
    return
  }
  const href = element.getAttribute('href') ?? ''
  if (!SAFE_HREF.test(href)) element.removeAttribute('href')
  else if (href.startsWith('#')) element.setAttribute('href', `#${PREFIX}${href.slice(1)}`)
  if (href.startsWith('#')) element.removeAttribute('target')
  else element.target = '_blank'
  element.rel = 'noopener noreferrer'
}

/** Sets the looks that are allowed one by one, which the page's policy permits. */
function dress({ element, style }: { element: HTMLElement; style: string }): void {
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration.slice(colon + 1).trim()
    if (STYLES.has(name) && !/[\\(]|\bvar\b|@|\/\*/.test(withoutColours(value)))
      element.style.setProperty(name, value)
  }
}

/** Colour functions are the only ones that may stay. */
function withoutColours(value: string): string {
  return value.replace(/\b(rgba?|hsla?|oklch|oklab)\([\d\s.,%/a-z-]*\)/gi, '')
}
