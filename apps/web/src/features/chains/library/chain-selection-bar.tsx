import type { ChainListItem } from '@catenary/contracts'
import { useBulkChains } from '../../records/selection/bulk.queries.ts'
import { SelectionBar } from '../../records/selection/selection-bar.tsx'

export interface ChainSelectionBarProps {
  selected: readonly ChainListItem[]
  onClear: () => void
}

export default function ChainSelectionBar(props: ChainSelectionBarProps) {
  return <SelectionBar noun="chain" write={useBulkChains()} {...props} />
}
