import { type RefObject, useEffect, useState } from 'react'

/** Frames until what was scrolled to is drawn. */
const FRAMES = 30

interface AwaitedFocusOptions {
  scroller: RefObject<HTMLElement | null>
  /** It is brought into view whole, though a part of it is seen. */
  isShownWhole?: boolean
}

/** Focuses what a selector finds in a scroller, as soon as it is drawn: that may be after a scroll. */
export function useAwaitedFocus({ scroller, isShownWhole = false }: AwaitedFocusOptions) {
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    if (wanted === null) return
    let frame = 0
    let framesLeft = FRAMES
    const focus = () => {
      const target = scroller.current?.querySelector<HTMLElement>(wanted)
      framesLeft -= 1
      if (!target && framesLeft > 0) frame = requestAnimationFrame(focus)
      else {
        target?.focus({ preventScroll: true })
        if (isShownWhole) target?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        setWanted(null)
      }
    }
    focus()
    return () => cancelAnimationFrame(frame)
  }, [wanted, scroller, isShownWhole])
  return setWanted
}
