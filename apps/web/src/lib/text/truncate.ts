import { shortenText } from '@catenary/domain'

export function truncate({ text, max }: { text: string; max: number }): string {
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .trim()
  return shortenText(line, max)
}
