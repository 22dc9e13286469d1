import type { BulkChainsRequest, ChainListItem } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { tagsQuery } from '../../library/tags/tags.queries.ts'
import { useBulkChains } from '../../records/selection/bulk.queries.ts'
import { SelectionBar } from '../../records/selection/selection-bar.tsx'

export default function ChainSelectionBar({
  selected,
  onClear,
}: {
  selected: readonly ChainListItem[]
  onClear: () => void
}) {
  const { data: tags = [] } = useQuery(tagsQuery('chain'))
  const { mutateAsync, isPending } = useBulkChains()
  return (
    <SelectionBar<BulkChainsRequest>
      noun="chain"
      selected={selected}
      tags={tags}
      send={mutateAsync}
      isPending={isPending}
      tagChange={(change) => change}
      deletion={(ids) => ({ ids, action: 'delete' })}
      onClear={onClear}
    />
  )
}
