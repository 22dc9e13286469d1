import { ThumbsDownIcon, ThumbsUpIcon } from 'lucide-react'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'

/** Null: all runs, rated or not. */
export type RatedRuns = 'up' | 'down' | null

export interface RatedFilterProps {
  value: RatedRuns
  onChange: (value: RatedRuns) => void
}

export function RatedFilter({ value, onChange }: RatedFilterProps) {
  return (
    <SegmentedControl
      aria-label="Runs"
      value={value ?? 'all'}
      onValueChange={(rated) => onChange(rated === 'all' ? null : rated)}
      className="justify-self-start"
    >
      <SegmentedControlItem value="all">All</SegmentedControlItem>
      <SegmentedControlItem value="up">
        <ThumbsUpIcon />
        Rated up
      </SegmentedControlItem>
      <SegmentedControlItem value="down">
        <ThumbsDownIcon />
        Rated down
      </SegmentedControlItem>
    </SegmentedControl>
  )
}
