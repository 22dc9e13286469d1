import type { ListedPrompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FileInputIcon, FileOutputIcon, PlusIcon } from 'lucide-react'
import type { ReactNode } from 'react'

import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { NothingFound } from '../../components/nothing-found.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { COMPACT, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { type Filters, useFilters } from '../../lib/filters.ts'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { countOf, useList } from '../../lib/lists.ts'
import { useSession } from '../../lib/session/session.tsx'
import { categoriesQuery } from '../library/categories/categories.queries.ts'
import { tagsQuery } from '../library/tags/tags.queries.ts'
import { DeletePromptDialog } from './delete-prompt-dialog.tsx'
import { EmptyLibrary } from './library-empty.tsx'
import { LibraryResults, ResultsFooter } from './library-results.tsx'
import { LibrarySkeleton } from './library-skeleton.tsx'
import { LibraryToolbar } from './library-toolbar.tsx'
import { OpenPromptDialog } from './open-prompt-dialog.tsx'
import { promptsQuery } from './prompts.queries.ts'
import { usePromptActions } from './use-prompt-actions.ts'

const SharePromptDialog = part(() => import('./share-prompt-dialog.tsx'))
const SkillDialog = part(() => import('./skills/skill-dialog.tsx'))

export interface LibraryPageProps {
  onExecute: (prompt: ListedPrompt) => void
  /** Brings prompts from elsewhere. */
  onImport: () => void
  /** Takes what is here along. */
  onExport: () => void
  /** Instead of an empty list, for signed-in people. */
  renderStart: (props: { onCreate: () => void }) => ReactNode
  /** Above the prompts. */
  note?: ReactNode
}

const NO_FILTERS = { search: '', categoryId: null, tagIds: [], ownership: 'all' as const }

/** All prompts that this person can see. */
export function LibraryPage({ onExecute, onImport, onExport, renderStart, note }: LibraryPageProps) {
  const { user } = useSession()
  const compact = useMediaQuery(COMPACT)
  const [filters, change] = useFilters()
  const createKeys = useAriaKeys('create')
  const { actions, create, ...state } = usePromptActions(onExecute)
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: tags = [] } = useQuery(tagsQuery('prompt'))
  const { list, error, refetch, loadMore, isCutShort, retryMore } = useList(promptsQuery(filters))
  const prompts = list?.items
  const asked = JSON.stringify(filters)
  const count = error || !list ? undefined : countOf(list)

  const results = () => {
    if (error) {
      return <ErrorState title="The prompts could not be loaded" error={error} onRetry={refetch} />
    }
    if (!list || !prompts) return <LibrarySkeleton view={filters.view} />
    if (prompts.length === 0) {
      return isFiltered(filters) ? (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto">
            <NothingFound {...nothingFound(filters)} onClear={() => change(NO_FILTERS)} />
          </div>
          <ResultsFooter list={list} isCutShort={isCutShort} onRetry={retryMore} />
        </>
      ) : user ? (
        renderStart({ onCreate: create })
      ) : (
        <EmptyLibrary onCreate={create} />
      )
    }
    return (
      <>
        {note}
        <LibraryResults
          // Another question starts at the top again.
          key={asked}
          name={asked}
          prompts={prompts}
          actions={actions}
          view={filters.view}
          compact={compact}
          onNearEnd={loadMore}
        />
        <ResultsFooter list={list} isCutShort={isCutShort} onRetry={retryMore} />
      </>
    )
  }

  return (
    <>
      <PageHeader
        title="Prompts"
        count={count}
        search={
          <SearchInput
            aria-label="Search prompts"
            placeholder="Search prompts"
            title="Words in any order: in titles, texts, system prompts and turns"
            value={filters.search}
            onSearch={(search) => change({ search })}
          />
        }
        view={
          <>
            <MoveButton label="Import" onClick={onImport}>
              <FileInputIcon />
            </MoveButton>
            <MoveButton label="Export" onClick={onExport}>
              <FileOutputIcon />
            </MoveButton>
          </>
        }
        action={
          <Button onClick={create} aria-keyshortcuts={createKeys} aria-label="New prompt">
            <PlusIcon />
            <span>
              New<span className="max-md:hidden"> prompt</span>
            </span>
            <ShortcutKeys id="create" className="max-md:hidden" />
          </Button>
        }
      />
      {prompts?.length === 0 && !isFiltered(filters) ? null : (
        <LibraryToolbar
          filters={filters}
          onChange={change}
          categories={categories}
          tags={tags}
          count={count}
        />
      )}
      {results()}
      <OpenPromptDialog
        open={state.open}
        prompts={prompts}
        categoryId={filters.categoryId}
        onExecute={actions.execute}
        onClose={state.closeOpen}
      />
      {state.sharing && (
        <DialogSuspense>
          <SharePromptDialog prompt={state.sharing} onClose={state.closeSharing} />
        </DialogSuspense>
      )}
      {state.serving && (
        <DialogSuspense>
          <SkillDialog prompt={state.serving} onClose={state.closeServing} />
        </DialogSuspense>
      )}
      {state.deleting && <DeletePromptDialog prompt={state.deleting} onClose={state.closeDeleting} />}
    </>
  )
}

function nothingFound(filters: Filters) {
  if (filters.ownership === 'shared' && !isFiltered({ ...filters, ownership: 'all' })) {
    return {
      title: 'Nothing is shared with you',
      description: 'Prompts that people share with you appear here.',
    }
  }
  return { title: 'No prompts found', description: 'No prompts match your search and filters.' }
}

function isFiltered({ search, categoryId, tagIds, ownership }: Filters): boolean {
  return search.trim() !== '' || categoryId !== null || tagIds.length > 0 || ownership !== 'all'
}

/** On a phone the icon alone. */
function MoveButton({
  label,
  children,
  onClick,
}: {
  label: string
  children: ReactNode
  onClick: () => void
}) {
  return (
    <Button
      variant="secondary"
      onClick={onClick}
      aria-label={label}
      className="max-md:size-11 max-md:border-transparent max-md:px-0"
    >
      {children}
      <span className="max-md:hidden">{label}</span>
    </Button>
  )
}
