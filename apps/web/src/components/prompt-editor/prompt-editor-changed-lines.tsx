import { useDeferredValue } from 'react'
import { changedLines } from '../text-diff/line-changes.ts'

export default function ChangedLines({ before, after }: { before: string; after: string }) {
  const { added, removed } = changedLines({ before, after: useDeferredValue(after) })
  if (added.length + removed === 0) return null
  const isOne = added.length + removed === 1
  return (
    <>
      {added.length > 0 && <span className="text-ok">+{added.length} </span>}
      {removed > 0 && <span className="text-danger">−{removed} </span>}
      <span className={removed === 0 ? 'text-ok' : undefined}>{isOne ? 'line' : 'lines'}</span>
      {' · '}
    </>
  )
}
