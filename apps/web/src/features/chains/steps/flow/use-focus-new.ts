import { type RefObject, useEffect, useRef } from 'react'

/** Puts the focus into an entry that was added to a list, and into the last one when another is taken out. */
export function useFocusNew<List extends HTMLElement>(count: number, selector: string): RefObject<List | null> {
  const list = useRef<List>(null)
  const before = useRef(count)
  useEffect(() => {
    const isChanged = before.current !== count
    before.current = count
    if (isChanged) [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])].at(-1)?.focus()
  }, [count, selector])
  return list
}
