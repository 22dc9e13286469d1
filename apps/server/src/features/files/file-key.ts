const NAME_MAX = 100

/** The key of an upload: no part of it is ever a path (D25). */
export function toFileKey({ fileName, timestamp }: { fileName: string; timestamp: number }): string {
  return `uploads/${timestamp}_${cleanName(fileName)}`
}

/** The name without its path and without what shells, browsers and people may misread; its end stays. */
export function cleanName(fileName: string): string {
  const last = fileName.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const cleaned = last.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_').replace(/\.{2,}/g, '.')
  // A name without an extension stays as it is; the pattern reads each mark only once.
  const marks = /^[._-]*/.exec(cleaned)?.[0].length ?? 0
  const begins = cleaned.includes('.', marks) ? marks : Math.max(cleaned.lastIndexOf('.', marks - 1), 0)
  const characters = [...cleaned.slice(begins)]
  return characters.slice(-NAME_MAX).join('')
}
