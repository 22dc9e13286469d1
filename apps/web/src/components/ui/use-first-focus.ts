import { useEffect, useRef } from 'react'
import { firstWanted, isTouch } from './internal/first-focus.ts'

export function useFirstFocus() {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { activeElement } = document
    const isFree = activeElement === null || activeElement === document.body || activeElement.matches('main')
    if (isFree && !isTouch() && page.current) firstWanted(page.current)?.focus({ preventScroll: true })
  }, [])
  return page
}
