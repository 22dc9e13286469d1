import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'

export interface BuilderSwitchProps {
  isAdvanced: boolean
  onChange: (isAdvanced: boolean) => void
}

/** Basic writes the content; Advanced opens the builder. */
export function BuilderSwitch({ isAdvanced, onChange }: BuilderSwitchProps) {
  return (
    <SegmentedControl
      aria-label="Mode"
      value={isAdvanced ? 'advanced' : 'basic'}
      onValueChange={(mode) => onChange(mode === 'advanced')}
      className="-mt-0.5 max-sm:*:px-1.5 max-sm:*:text-xs pointer-coarse:-mt-2.5"
    >
      <SegmentedControlItem value="basic">Basic</SegmentedControlItem>
      <SegmentedControlItem value="advanced">Advanced</SegmentedControlItem>
    </SegmentedControl>
  )
}
