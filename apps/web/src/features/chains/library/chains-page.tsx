import type { ChainListItem, Ownership, SharedLevel, Tag } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDownIcon } from 'lucide-react'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { CreateButton } from '../../../components/create-button.tsx'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { NothingFound } from '../../../components/nothing-found.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { part } from '../../../components/part.tsx'
import { SearchInput } from '../../../components/search-input.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { RadioMenu } from '../../../components/ui/radio-menu.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useSelection } from '../../../components/virtual/use-selection.ts'
import { VirtualGrid } from '../../../components/virtual/virtual-grid.tsx'
import { useShownDensity } from '../../../lib/appearance/density.ts'
import { PHONE, useMediaQuery } from '../../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { type Filters, useFilters, VISIBILITY_LEVELS } from '../../../lib/filters.ts'
import { countOf, useList } from '../../../lib/lists.ts'
import { useOpenItem } from '../../../lib/open-item.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { TagToggles } from '../../library/tags/tag-toggles.tsx'
import { tagsQuery } from '../../library/tags/tags.queries.ts'
import { OpenHandOver } from '../../records/hand-overs/open-hand-over.tsx'
import { SelectionStatus } from '../../records/selection/selection-status.tsx'
import { OwnershipFilter } from '../../records/shares/ownership-filter.tsx'
import { scheduledChainsQuery } from '../../schedules/schedules.queries.ts'
import { ViewsMenu } from '../../views/views-menu.tsx'
import { chainsQuery } from '../chains.queries.ts'
import { DeleteChainDialog } from '../delete-chain-dialog.tsx'
import { latestChainRunsQuery } from '../run/chain-runs.queries.ts'
import { VISIBILITIES } from '../share-state.tsx'
import { ChainCard } from './chain-card.tsx'
import { ChainIntro } from './chain-intro.tsx'
import { NoChains } from './no-chains.tsx'

const ANY = 'Any visibility'

const CARDS = Array.from({ length: 9 }, (_, index) => index)

const ChainSelectionBar = part(() => import('./chain-selection-bar.tsx'))
const CreateChainDialog = part(() => import('./create-chain-dialog.tsx'))

export interface ChainsPageProps {
  bestChain: ReactNode
}

/** Inner widths of the page in px, for two and three cards in a row: two only where a sidebar leaves space for them. */
const BREAKPOINTS = [440, 940]
const ONE_COLUMN: number[] = []
const CARD_HEIGHT = { comfortable: 178, compact: 156 }
/** Buttons are higher where they are touched. */
const TOUCHED = 20
const GAP = { comfortable: 12, compact: 8 }
const PADDING = 'px-6 pt-4 pb-6 max-md:px-3.5'

export function ChainsPage({ bestChain }: ChainsPageProps) {
  useDocumentTitle('Chains')
  const { user } = useSession()
  const { data: tags = [] } = useQuery(tagsQuery('chain'))
  const { scheduled, latestRuns } = useCardNotes()
  const [filters, change] = useFilters()
  const { open, show } = useOpenItem('chain')
  const density = useShownDensity()
  const isPhone = useMediaQuery(PHONE)
  const isTouched = useMediaQuery('(pointer: coarse)')
  const [deleting, setDeleting] = useState<ChainListItem | null>(null)
  const { search, tagIds, visibility, ownership } = filters
  const { list, chains, isFound, error, refetch, loadMore } = useChains(filters)
  const missing = (list?.items.length ?? 0) - (chains?.length ?? 0)
  const asked = JSON.stringify([search, tagIds, visibility, ownership])
  const selection = useSelection({ name: asked, items: chains })
  const isNarrowed = visibility !== null || ownership !== 'all'
  const isFiltered = isNarrowed || search.trim() !== '' || tagIds.length > 0
  const create = () => user && show({ kind: 'create' })

  const hasAny = isFiltered || (chains?.length ?? 0) > 0
  const before = (
    <div className="grid gap-3 pb-3">
      <ChainIntro />
      {hasAny && !error && <ChainsToolbar tags={tags} filters={filters} onChange={change} />}
    </div>
  )
  const after = user && <div className="pt-3">{bestChain}</div>
  const clear = () => change({ search: '', tagIds: [], visibility: null, ownership: 'all' })
  const results = () => {
    if (error) {
      return <ErrorState title="Failed to load chains. Please try again." error={error} onRetry={refetch} />
    }
    if (!chains) return <ChainsSkeleton />
    if (!isFiltered) return <NoChains isGuest={!user} onCreate={create} />
    return (
      <NothingFound
        title="No chains found."
        description="No chains match your search and filters."
        onClear={clear}
      />
    )
  }
  return (
    <>
      <PageHeader
        title="Chains"
        count={error || !list ? undefined : countOf({ ...list, total: list.total - missing })}
        search={
          <SearchInput
            aria-label="Search chains"
            placeholder="Search chains"
            value={search}
            onSearch={(search) => change({ search })}
            isFound={isFound}
          />
        }
        action={user && <CreateButton label="Create New Chain" short="New" onCreate={create} />}
      />
      {chains && chains.length > 0 && !error ? (
        <VirtualGrid
          // Another question starts at the top again.
          key={asked}
          name={`chains ${asked}`}
          label="Chains"
          items={chains}
          getKey={keyOf}
          renderItem={(chain) => (
            <ChainCard
              chain={chain}
              scheduled={scheduled.get(chain.id)}
              latest={latestRuns.get(chain.id)}
              onDelete={setDeleting}
              onSelect={selection.toggle}
              isSelected={selection.isSelected(chain.id)}
            />
          )}
          breakpoints={isPhone ? ONE_COLUMN : BREAKPOINTS}
          rowHeight={CARD_HEIGHT[density] + (isTouched ? TOUCHED : 0)}
          gap={GAP[density]}
          before={before}
          after={after}
          className={PADDING}
          selection={user ? selection.grid : undefined}
          onNearEnd={loadMore}
        />
      ) : (
        <div className={`min-h-0 flex-1 overflow-y-auto ${PADDING}`}>
          {before}
          {results()}
          {after}
        </div>
      )}
      {selection.selected.length > 0 && (
        <Suspense>
          <ChainSelectionBar selected={selection.selected} onClear={selection.clear} />
        </Suspense>
      )}
      <SelectionStatus count={selection.selected.length} />
      {user && open?.kind === 'create' && (
        <DialogSuspense>
          <CreateChainDialog userId={user.id} onClose={() => show(null)} />
        </DialogSuspense>
      )}
      <OpenHandOver kind="chain" nameOf={(asked) => chains?.find(({ id }) => id === asked)?.name} />
      {deleting && <DeleteChainDialog chain={deleting} failure="Error" onClose={() => setDeleting(null)} />}
    </>
  )
}

function useChains({ search, tagIds, visibility, ownership }: Filters) {
  const { user } = useSession()
  const username = user?.username
  const found = useList(chainsQuery({ search, tagIds, visibility, ownership }))
  const { list } = found
  const chains = useMemo(
    () => list && findChains({ chains: list.items, tagIds, visibility, ownership, username }),
    [list, tagIds, visibility, ownership, username],
  )
  return { ...found, chains }
}

function keyOf({ id }: ChainListItem): number {
  return id
}

function useCardNotes() {
  const { user } = useSession()
  const { data: schedules } = useQuery({ ...scheduledChainsQuery, enabled: user !== null })
  const { data: runs } = useQuery({ ...latestChainRunsQuery, enabled: user !== null })
  return {
    scheduled: useMemo(() => new Map((schedules ?? []).map((each) => [each.chainId, each])), [schedules]),
    latestRuns: useMemo(() => new Map((runs ?? []).map((run) => [run.chainId, run])), [runs]),
  }
}

function ChainsSkeleton() {
  return (
    <div role="status" className="@container">
      <span className="sr-only">Loading chains</span>
      <div className="grid animate-late gap-3 @min-[620px]:grid-cols-2 @min-[940px]:grid-cols-3">
        {CARDS.map((card) => (
          <div
            key={card}
            className="grid h-[9.75rem] content-start gap-2.5 rounded-card border border-line p-3.5"
          >
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="mt-1 h-3 w-full" />
            <Skeleton className="h-3 w-2/3" />
            <Skeleton className="mt-2 h-5 w-1/3" />
          </div>
        ))}
      </div>
    </div>
  )
}

interface ChainsToolbarProps {
  tags: readonly Tag[]
  filters: Filters
  onChange: (change: Partial<Filters>) => void
}

function ChainsToolbar({ tags, filters, onChange }: ChainsToolbarProps) {
  const { tagIds, visibility, ownership } = filters
  const selected = tags.filter(({ id }) => tagIds.includes(id))
  return (
    <div role="toolbar" aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <OwnershipFilter value={ownership} onChange={(ownership) => onChange({ ownership })} />
      <VisibilityFilter value={visibility} onChange={(visibility) => onChange({ visibility })} />
      {selected.length > 0 && (
        <TagToggles
          aria-label="Tags that filter"
          tags={selected}
          selectedIds={tagIds}
          onToggle={(tag) => onChange({ tagIds: tagIds.filter((id) => id !== tag) })}
          chipClassName="h-6"
        />
      )}
      <div className="ml-auto">
        <ViewsMenu page="chains" />
      </div>
    </div>
  )
}

function VisibilityFilter({
  value,
  onChange,
}: {
  value: SharedLevel | null
  onChange: (visibility: SharedLevel | null) => void
}) {
  const shown = value === null ? ANY : VISIBILITIES[value].label
  return (
    <RadioMenu
      value={value ?? ''}
      choices={[
        { value: '', label: ANY },
        ...VISIBILITY_LEVELS.map((level) => ({ value: level, label: VISIBILITIES[level].label })),
      ]}
      onChange={(level) => onChange(level === '' ? null : level)}
      align="start"
    >
      <Button variant="secondary" aria-label={`Visibility: ${shown}`}>
        {shown}
        <ChevronDownIcon className="text-text-3" />
      </Button>
    </RadioMenu>
  )
}

function findChains({
  chains,
  tagIds,
  visibility,
  ownership,
  username,
}: {
  chains: ChainListItem[]
  tagIds: readonly number[]
  visibility: SharedLevel | null
  ownership: Ownership
  username: string | undefined
}): ChainListItem[] {
  return chains.filter(
    ({ tags, sharedLevel, owner, canView }) =>
      (tagIds.length === 0 || tags.some(({ id }) => tagIds.includes(id))) &&
      (visibility === null || sharedLevel === visibility) &&
      (ownership !== 'mine' || owner === username) &&
      (ownership !== 'shared' || (sharedLevel === 'shared' && canView && owner !== username)),
  )
}
