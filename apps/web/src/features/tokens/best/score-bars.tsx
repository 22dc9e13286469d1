import type { BestChainSelection } from '@catenary/contracts'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { cn } from '../../../lib/utils.ts'

const SHOWN_FIRST = 5

export interface ScoreBarsProps {
  label: string
  scores: BestChainSelection['scores']
  chosenId: number | null
}

/** How well the words of each chain fit, by the best one; those that the model did not see are paler. */
export function ScoreBars({ label, scores, chosenId }: ScoreBarsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? scores : scores.slice(0, SHOWN_FIRST)
  const rest = scores.length - shown.length
  return (
    <div className="grid gap-2">
      <ul aria-label={label} className="grid gap-1.5">
        {shown.map(({ chainId, chainName, score, shown }) => {
          const isChosen = chainId === chosenId
          return (
            <li
              key={chainId}
              title={shown ? undefined : 'Scored too low to be shown to the model'}
              className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)_2.25rem] items-center gap-2.5 text-xs"
            >
              <span className={cn('truncate', isChosen ? 'font-medium text-text' : 'text-text-2')}>
                {chainName}
                {isChosen && <span className="sr-only"> (chosen)</span>}
              </span>
              <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
                <span
                  className={cn(
                    'block h-full rounded-full',
                    isChosen ? 'bg-accent' : shown ? 'bg-line-strong' : 'bg-line',
                  )}
                  style={{ width: `${score * 100}%` }}
                />
              </span>
              <span className="text-right text-text-2 tabular-nums">{score.toFixed(2)}</span>
            </li>
          )
        })}
      </ul>
      {rest > 0 && (
        <Button variant="link" className="justify-self-start text-xs" onClick={() => setShowsAll(true)}>
          {rest} more
        </Button>
      )}
    </div>
  )
}
