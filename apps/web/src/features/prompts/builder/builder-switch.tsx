import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'

export interface BuilderSwitchProps {
  isAdvanced: boolean
  onChange: (isAdvanced: boolean) => void
}

const ITEM = 'max-sm:text-xs pointer-coarse:px-2'

export function BuilderSwitch({ isAdvanced, onChange }: BuilderSwitchProps) {
  return (
    <SegmentedControl
      aria-label="Mode"
      value={isAdvanced ? 'advanced' : 'basic'}
      onValueChange={(mode) => onChange(mode === 'advanced')}
      className="-mt-0.5 pointer-coarse:-mt-2.5"
    >
      <SegmentedControlItem value="basic" className={ITEM}>
        Basic
      </SegmentedControlItem>
      <SegmentedControlItem value="advanced" className={ITEM}>
        Advanced
      </SegmentedControlItem>
    </SegmentedControl>
  )
}
