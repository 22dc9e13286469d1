/** The number that a text field holds; null when it is left empty. */
export function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
