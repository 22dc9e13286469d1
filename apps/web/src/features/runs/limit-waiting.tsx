import type { LimitWait } from '@catenary/contracts'
import { formatLeft, limitName } from './format-wait.ts'
import { useNow } from './use-now.ts'

/** What a call waits for, and how long yet; what for is read out, its clock is not. */
export function LimitWaiting({ wait }: { wait: LimitWait }) {
  const left = formatLeft({ wait, now: useNow(true) })
  return (
    <p role="status" className="text-sm text-text-3">
      Waiting for {limitName(wait)}
      {left !== '' && <span aria-hidden>, {left}</span>}
    </p>
  )
}
