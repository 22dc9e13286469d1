const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** A foreign link's address if it leads, by itself, to the web or to mail; else null. */
export function safeHref(href: string): string | null {
  return URL.canParse(href) && SCHEMES.has(new URL(href).protocol) ? href : null
}
