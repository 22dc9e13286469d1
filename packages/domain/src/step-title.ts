export function stepTitle({ title }: { title: string }): string {
  return title.trim() || 'Untitled Step'
}
