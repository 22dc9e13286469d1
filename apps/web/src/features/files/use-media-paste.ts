import { type RefObject, useEffect, useRef } from 'react'

/** Takes a file from the clipboard: where several places could, the one with the focus does. */
export function useMediaPaste({
  zone,
  onPaste,
}: {
  zone: RefObject<HTMLElement | null>
  onPaste: (file: File) => unknown
}): void {
  const take = useRef(onPaste)
  useEffect(() => {
    take.current = onPaste
  })
  useEffect(() => {
    const hear = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0]
      if (!file || event.defaultPrevented) return
      const isOnly = document.querySelectorAll('[data-media-field]').length === 1
      if (!isOnly && zone.current?.contains(document.activeElement) !== true) return
      event.preventDefault()
      take.current(file)
    }
    document.addEventListener('paste', hear)
    return () => document.removeEventListener('paste', hear)
  }, [zone])
}
