import { useEffect, useState } from 'react'

const TICK_MS = 100

export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}

/** When something began: the given time, else when it was first shown here. */
export function useSince(startedAt: string | undefined): number {
  const [since, setSince] = useState(Date.now)
  const started = startedAt === undefined ? since : Date.parse(startedAt)
  // Another process may answer the next time, and not know.
  if (started !== since) setSince(started)
  return started
}
