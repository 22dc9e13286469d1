import { OWNERSHIPS, type Ownership } from '@catenary/contracts'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { useSession } from '../../../lib/session/session.tsx'

const LABELS: Record<Ownership, string> = { all: 'All', mine: 'Mine', shared: 'Shared with me' }

export interface OwnershipFilterProps {
  value: Ownership
  onChange: (ownership: Ownership) => void
}

export function OwnershipFilter({ value, onChange }: OwnershipFilterProps) {
  const { user, status } = useSession()
  // Most who come are logged in: what stands beside it keeps its place until that is known.
  if (!user && status !== 'loading') return null
  return (
    <SegmentedControl
      aria-label="Owner"
      value={value}
      onValueChange={(ownership) => onChange(ownership as Ownership)}
    >
      {OWNERSHIPS.map((ownership) => (
        <SegmentedControlItem key={ownership} value={ownership}>
          {LABELS[ownership]}
        </SegmentedControlItem>
      ))}
    </SegmentedControl>
  )
}
