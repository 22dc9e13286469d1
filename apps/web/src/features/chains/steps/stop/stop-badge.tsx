import { type ChainStep, endOf } from '@catenary/contracts'
import { OctagonXIcon } from 'lucide-react'
import { Badge } from '../../../../components/ui/badge.tsx'

export function StopBadge({ step }: { step: Pick<ChainStep, 'stop'> }) {
  const ends = endOf(step.stop)
  if (!ends) return null
  return (
    <Badge>
      <OctagonXIcon />
      {ends.outcome === 'completed' ? 'Ends the run' : 'Ends the run as failed'}
    </Badge>
  )
}
