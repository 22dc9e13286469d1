import type { ListedPrompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FileInputIcon, FileOutputIcon, MessageSquareTextIcon, PlusIcon } from 'lucide-react'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CreateButton } from '../../components/create-button.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { NothingFound } from '../../components/nothing-found.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useSelection } from '../../components/virtual/use-selection.ts'
import { COMPACT, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { type Filters, type LibraryView, useFilters } from '../../lib/filters.ts'
import { countOf, type List, useList } from '../../lib/lists.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { useAccountDialogs } from '../accounts/account-dialogs-provider.tsx'
import { useAuthGate } from '../accounts/auth-gate.tsx'
import { categoriesQuery } from '../library/categories/categories.queries.ts'
import { tagsQuery } from '../library/tags/tags.queries.ts'
import { OpenHandOver } from '../records/hand-overs/open-hand-over.tsx'
import { SelectionStatus } from '../records/selection/selection-status.tsx'
import { DeletionEffects } from '../records/versions/deletion-effects.tsx'
import { LibraryResults, ResultsFooter } from './library-results.tsx'
import { LibraryToolbar } from './library-toolbar.tsx'
import { OpenPromptDialog } from './open-prompt-dialog.tsx'
import type { PromptActions } from './prompt-actions.ts'
import { promptsQuery, useDeletePrompt, useDuplicatePrompt } from './prompts.queries.ts'

const SKELETON_CARDS = Array.from({ length: 9 }, (_, index) => index)

const EXAMPLE_TEXT = {
  content:
    'Write a short, warm welcome for $<customer>. Name one thing to try first, and end with a question.',
  variable: { name: 'customer', content: 'Ada Lovelace' },
}

const SharePromptDialog = part(() => import('./share-prompt-dialog.tsx'))
const PromptSelectionBar = part(() => import('./prompt-selection-bar.tsx'))
const SkillDialog = part(() => import('./skills/skill-dialog.tsx'))

export interface LibraryPageProps {
  onExecute: (prompt: ListedPrompt) => void
  onImport: () => void
  onExport: () => void
  renderStart: (props: { onCreate: () => void }) => ReactNode
  note?: ReactNode
}

const NO_FILTERS = { search: '', categoryId: null, tagIds: [], ownership: 'all' as const }

export function LibraryPage({ onExecute, onImport, onExport, renderStart, note }: LibraryPageProps) {
  const { user } = useSession()
  const compact = useMediaQuery(COMPACT)
  const [filters, change] = useFilters()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: tags = [] } = useQuery(tagsQuery('prompt'))
  const { list, isFound, error, refetch, loadMore, isCutShort, retryMore } = useList(promptsQuery(filters))
  const prompts = list?.items
  const asked = JSON.stringify(filters)
  const selection = useSelection({ name: asked, items: prompts })
  const { actions, create, dialogs } = usePromptActions({
    prompts,
    categoryId: filters.categoryId,
    onExecute,
    onSelect: selection.toggle,
  })
  const count = error || !list ? undefined : countOf(list)

  const footer = (list: List<ListedPrompt>) => (
    <ResultsFooter list={list} isCutShort={isCutShort} onRetry={retryMore} />
  )
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
          {footer(list)}
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
          selection={user ? selection.grid : undefined}
          isSelected={selection.isSelected}
          onNearEnd={loadMore}
        />
        {selection.selected.length > 0 ? (
          <Suspense fallback={footer(list)}>
            <PromptSelectionBar selected={selection.selected} onClear={selection.clear} />
          </Suspense>
        ) : (
          footer(list)
        )}
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
            title="Finds words in any order in titles, texts, system prompts and turns"
            value={filters.search}
            onSearch={(search) => change({ search })}
            isFound={isFound}
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
        action={<CreateButton label="New prompt" short="New" onCreate={create} />}
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
      <SelectionStatus count={selection.selected.length} />
      {dialogs}
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

function DeletePromptDialog({ prompt, onClose }: { prompt: ListedPrompt; onClose: () => void }) {
  const remove = useDeletePrompt()
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Delete prompt?"
      description={
        <>
          <span className="block">
            {`“${prompt.title}”, its versions and its execution history will be deleted. This cannot be undone.`}
          </span>
          <DeletionEffects kind="prompt" id={prompt.id} />
        </>
      }
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(prompt.id, {
          onSuccess: () => toast({ title: 'Prompt deleted', description: `“${prompt.title}” was deleted.` }),
          onSettled: onClose,
        })
      }
    />
  )
}

/** For a guest. */
function EmptyLibrary({ onCreate }: { onCreate: () => void }) {
  const { open } = useAccountDialogs()
  return (
    <EmptyState
      icon={<MessageSquareTextIcon />}
      title="Log in to see your prompts"
      about="prompts"
      description={
        <>
          Guests see public prompts only, and there are none. Yours are here once you log in.
          <span className="mt-3 block">
            A prompt is a text that you run again and again. What changes from run to run is a variable.
          </span>
          <span className="mt-3 block rounded-card border border-line bg-inset p-3.5 text-left">
            <TemplateText text={EXAMPLE_TEXT.content} />
            <span className="mt-2 block border-t border-line pt-2 text-xs text-text-3">
              <code className="rounded-[4px] bg-ref-soft px-1 text-ref">
                $&lt;{EXAMPLE_TEXT.variable.name}&gt;
              </code>{' '}
              is a variable: {EXAMPLE_TEXT.variable.content}
            </span>
          </span>
        </>
      }
      action={
        <>
          <Button variant="secondary" onClick={onCreate}>
            <PlusIcon />
            Write your own
          </Button>
          <Button onClick={() => open('login')}>Log In</Button>
        </>
      }
    />
  )
}

function LibrarySkeleton({ view }: { view: LibraryView }) {
  return (
    <div role="status" className="@container min-h-0 flex-1 overflow-hidden px-6 pt-0.5 max-md:px-3.5">
      <span className="sr-only">Loading prompts</span>
      {view === 'grid' ? (
        <div className="grid animate-late gap-3 @min-[620px]:grid-cols-2 @min-[940px]:grid-cols-3">
          {SKELETON_CARDS.map((card) => (
            <CardSkeleton key={card} />
          ))}
        </div>
      ) : (
        <div className="grid animate-late gap-px border-t border-line">
          {SKELETON_CARDS.map((row) => (
            <div key={row} className="flex h-[45px] items-center gap-4 border-b border-line px-3.5">
              <Skeleton className="h-4 w-8 rounded-full" />
              <Skeleton className="h-4 w-64 max-md:flex-1" />
              <Skeleton className="ml-auto h-4 w-40 max-md:hidden" />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

function CardSkeleton() {
  return (
    <div className="grid h-[12.875rem] content-start gap-2.5 rounded-card border border-line p-3.5">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-3 w-1/4" />
      <Skeleton className="mt-2 h-3 w-full" />
      <Skeleton className="h-3 w-11/12" />
      <Skeleton className="h-3 w-3/5" />
      <Skeleton className="mt-2 h-5 w-1/3" />
    </div>
  )
}

interface PromptActionsOptions {
  prompts: readonly ListedPrompt[] | undefined
  /** That a new one begins in. */
  categoryId: number | null
  onExecute: (prompt: ListedPrompt) => void
  onSelect: (id: number) => void
}

/** What is done with the prompts of the list, and the dialogs that ask for it. */
function usePromptActions({ prompts, categoryId, onExecute, onSelect }: PromptActionsOptions) {
  const guard = useAuthGate()
  const { open, show } = useOpenItem('prompt')
  const [asked, setAsked] = useState<{ act: 'delete' | 'share' | 'serve'; prompt: ListedPrompt } | null>(null)
  const { mutateAsync: duplicate } = useDuplicatePrompt()
  const actions = useMemo(
    (): PromptActions => ({
      open: ({ id }) => show({ kind: 'open', id }),
      edit: ({ id, canEdit }) => guard(() => canEdit && show({ kind: 'open', id })),
      remove: (prompt) => guard(() => prompt.canDelete && setAsked({ act: 'delete', prompt })),
      duplicate: (prompt) =>
        guard(() => {
          const onCopied = (copy: ListedPrompt) =>
            toast({
              title: 'Prompt duplicated',
              description: `“${copy.title}” is yours and private.`,
              action: { label: 'Open', onPress: () => show({ kind: 'open', id: copy.id }) },
            })
          // The query client tells of a failure.
          void duplicate(prompt.id).then(onCopied, () => undefined)
        }),
      share: (prompt) => guard(() => setAsked({ act: 'share', prompt })),
      serve: (prompt) => guard(() => prompt.canEdit && setAsked({ act: 'serve', prompt })),
      execute: (prompt) => guard(() => onExecute(prompt)),
      select: ({ id }) => guard(() => onSelect(id)),
    }),
    [guard, show, duplicate, onExecute, onSelect],
  )
  const close = () => setAsked(null)
  return {
    actions,
    create: () => guard(() => show({ kind: 'create' })),
    dialogs: (
      <>
        <OpenPromptDialog
          open={open}
          prompts={prompts}
          categoryId={categoryId}
          onExecute={actions.execute}
          onClose={() => show(null)}
        />
        <OpenHandOver kind="prompt" nameOf={(asked) => prompts?.find(({ id }) => id === asked)?.title} />
        {asked?.act === 'share' && (
          <DialogSuspense>
            <SharePromptDialog prompt={asked.prompt} onClose={close} />
          </DialogSuspense>
        )}
        {asked?.act === 'serve' && (
          <DialogSuspense>
            <SkillDialog prompt={asked.prompt} onClose={close} />
          </DialogSuspense>
        )}
        {asked?.act === 'delete' && <DeletePromptDialog prompt={asked.prompt} onClose={close} />}
      </>
    ),
  }
}
