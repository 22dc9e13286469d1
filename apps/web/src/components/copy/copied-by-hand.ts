let waiting: string | null = null
const listeners = new Set<() => void>()

export const byHandStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  getSnapshot: () => waiting,
}

export function offerByHand(text: string | null): void {
  waiting = text
  for (const listener of listeners) listener()
}
