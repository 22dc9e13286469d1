import type { ChainStep } from '@catenary/contracts'
import { Badge } from '../../../../components/ui/badge.tsx'

/** What happens where a step doesn’t run, as far as that is set. */
export function FlowBadges({ step: { default: value = '', ifItFails } }: { step: ChainStep }) {
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
