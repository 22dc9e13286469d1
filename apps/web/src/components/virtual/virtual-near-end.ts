import { useEffect } from 'react'

/** Items before the last one from which the end is near. */
const NEAR = 100

/** Tells while the drawn items are near the end of those that are here. */
export function useNearEnd({
  last,
  count,
  onNearEnd,
}: {
  /** Index of the last drawn item. */
  last: number
  count: number
  onNearEnd: (() => void) | undefined
}): void {
  const isNear = last >= count - NEAR
  useEffect(() => {
    if (isNear) onNearEnd?.()
  })
}
