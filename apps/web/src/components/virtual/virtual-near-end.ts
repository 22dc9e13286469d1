import { useEffect } from 'react'

const NEAR = 100

export function useNearEnd({
  last,
  count,
  onNearEnd,
}: {
  last: number
  count: number
  onNearEnd: (() => void) | undefined
}): void {
  const isNear = last >= count - NEAR
  useEffect(() => {
    if (isNear) onNearEnd?.()
  })
}
