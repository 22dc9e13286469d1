import { type RefObject, useEffect, useRef } from 'react'

/** Whoever adds an entry goes on in it, and whoever takes one out in the last that is left, or where one is added. */
export function useFocusNew<List extends HTMLElement>(
  count: number,
  selector: string,
): RefObject<List | null> {
  const list = useRef<List>(null)
  const before = useRef(count)
  useEffect(() => {
    const isChanged = before.current !== count
    before.current = count
    const active = document.activeElement
    // A draft that comes back changes the list too.
    const isOwn = active === null || active === document.body || list.current?.contains(active)
    if (!isChanged || !isOwn) return
    const entries = list.current?.querySelectorAll<HTMLElement>(selector) ?? []
    const last = [...entries].at(-1) ?? list.current?.querySelector<HTMLElement>('[data-add]')
    last?.focus()
  }, [count, selector])
  return list
}
