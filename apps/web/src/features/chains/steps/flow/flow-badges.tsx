import type { ChainStep } from '@catenary/contracts'
import { OctagonXIcon } from 'lucide-react'
import { Badge } from '../../../../components/ui/badge.tsx'
import { endOf } from './flow-form.ts'

type FlowStep = Pick<ChainStep, 'stop' | 'default' | 'ifItFails'>

export function StopBadge({ step }: { step: FlowStep }) {
  const ends = endOf(step.stop)
  if (!ends) return null
  return (
    <Badge>
      <OctagonXIcon />
      {ends.outcome === 'completed' ? 'Ends the run' : 'Ends the run as failed'}
    </Badge>
  )
}

/** What happens where a step doesn’t run, as far as that is set. */
export function FlowBadges({ step: { default: value = '', ifItFails } }: { step: FlowStep }) {
  return (
    <>
      {value !== '' && (
        <Badge title={value} className="max-w-full min-w-0 shrink">
          when skipped
          <bdi className="max-w-40 min-w-0 truncate leading-normal text-out">{value}</bdi>
        </Badge>
      )}
      {ifItFails === 'go_on' && <Badge>goes on if it fails</Badge>}
    </>
  )
}
