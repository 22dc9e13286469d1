import { useEffect, useState } from 'react'

/** The clock's step while something is written. */
const TICK_MS = 100

/** The time, kept current while it matters. */
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
