/** What a step is called. */
export function stepTitle({ title }: { title: string }): string {
  return title.trim() || 'Untitled Step'
}
