import { useSyncExternalStore } from 'react'

interface StoredChoiceOptions<Choice extends string> {
  key: string
  /** The first stands where nobody has chosen. */
  choices: readonly [Choice, ...Choice[]]
  show: (choice: Choice) => void
}

/** How someone wants the app to look, kept in this browser; its other tabs follow. */
export function storedChoice<Choice extends string>({ key, choices, show }: StoredChoiceOptions<Choice>) {
  const listeners = new Set<() => void>()
  const read = (): Choice => {
    let stored: string | null = null
    try {
      stored = localStorage.getItem(key)
    } catch {}
    return choices.find((choice) => choice === stored) ?? choices[0]
  }
  const apply = () => {
    show(read())
    for (const listener of listeners) listener()
  }
  const choose = (choice: Choice) => {
    try {
      localStorage.setItem(key, choice)
    } catch {}
    apply()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  function useChoice(): [Choice, (choice: Choice) => void] {
    return [useSyncExternalStore(subscribe, read), choose]
  }
  return {
    apply,
    choose,
    useChoice,
    follow() {
      window.addEventListener('storage', (event) => event.key === key && apply())
      apply()
    },
  }
}
