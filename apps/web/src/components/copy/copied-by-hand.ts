let waiting: string | null = null
const listeners = new Set<() => void>()

/** For `useSyncExternalStore`: the text that a person has to copy. */
export const byHandStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  getSnapshot: () => waiting,
}

/** Shows a text, selected, that the browser would not copy; null puts it away. */
export function offerByHand(text: string | null): void {
  waiting = text
  for (const listener of listeners) listener()
}
