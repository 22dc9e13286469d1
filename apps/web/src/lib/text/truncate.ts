/** One line of a text, cut at so many characters. */
export function truncate({ text, max }: { text: string; max: number }): string {
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
