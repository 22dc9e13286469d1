import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** Which prompt's Execute dialog is open; kept in the address as `?execute=12`. */
export function useOpenRun() {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('execute'))
  const show = useCallback(
    (id: number | null) =>
      setParams((params) => {
        const next = new URLSearchParams(params)
        if (id === null) for (const name of ['execute', 'sent']) next.delete(name)
        else next.set('execute', String(id))
        return next
      }),
    [setParams],
  )
  return { openId: Number.isInteger(id) && id > 0 ? id : null, show }
}
