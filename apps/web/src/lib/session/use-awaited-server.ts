import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onDoubt, useOnline, useServerAway } from './server-away.ts'
import { sessionQuery } from './session.tsx'

const ASK_AGAIN_MS = 10_000

export function useAwaitedServer(): void {
  const queryClient = useQueryClient()
  const isAway = useServerAway()
  const isOnline = useOnline()
  useEffect(() => {
    const ask = () =>
      void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false })
    if (!isAway) return onDoubt(ask)
    const timer = setInterval(ask, ASK_AGAIN_MS)
    window.addEventListener('online', ask)
    window.addEventListener('focus', ask)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', ask)
      window.removeEventListener('focus', ask)
    }
  }, [isAway, queryClient])
  const isLost = isAway || !isOnline
  useEffect(() => {
    if (!isLost) return
    return () => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  }, [isLost, queryClient])
}
