import { isWhole, type ListedVariable, type Variable, type VariableUsage } from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { CreateButton } from '../../components/create-button.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { NothingFound } from '../../components/nothing-found.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useAddress } from '../../lib/address.ts'
import { COMPACT, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { errorReason } from '../../lib/errors.ts'
import { useFilters } from '../../lib/filters.ts'
import { countOf, useList } from '../../lib/lists.ts'
import { type OpenItem, useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast, toastFailure } from '../../lib/toast.ts'
import { OpenHandOver } from '../records/hand-overs/open-hand-over.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { describeUsage, nameSome } from './variable-usage.ts'
import {
  usageCountsQuery,
  useDeleteVariable,
  variableQuery,
  variablesQuery,
  variableUsageQuery,
} from './variables.queries.ts'
import { EmptyVariables } from './variables-empty.tsx'
import { VariablesTable } from './variables-table.tsx'

const SKELETON_ROWS = Array.from({ length: 7 }, (_, index) => index)

const VariableDialog = part(() => import('./variable-dialog.tsx'))

export interface VariablesPageProps {
  onTryExample: (variable: Variable) => void
}

export function VariablesPage({ onTryExample }: VariablesPageProps) {
  const { user, status } = useSession()
  const compact = useMediaQuery(COMPACT)
  const scroller = useRef<HTMLDivElement>(null)
  const [filters, change] = useFilters()
  const [, changeAddress] = useAddress()
  const editor = useOpenItem('variable')
  const preview = useOpenItem('preview')
  const { list, isFound, error, refetch, loadMore } = useList(variablesQuery(filters))
  const variables = list?.items
  const { data: usage } = useQuery({ ...usageCountsQuery, enabled: user !== null })
  const remove = useRemoveVariable()
  const edited = useOpenVariable({ open: editor.open, variables })
  const previewed = useOpenVariable({ open: preview.open, variables })
  const isFiltered = filters.search.trim() !== '' || filters.tagIds.length > 0

  const create = () => user && editor.show({ kind: 'create' })

  const results = () => {
    if (error) {
      return (
        <ErrorState
          title="There was an error loading variables. Please try again."
          error={error}
          onRetry={refetch}
        />
      )
    }
    if (!variables) return <VariablesSkeleton />
    if (variables.length === 0) {
      return isFiltered ? (
        <NothingFound
          title="No variables found"
          description="No variables match your search and tags."
          onClear={() => change({ search: '', tagIds: [] })}
        />
      ) : (
        <EmptyVariables isGuest={!user} onCreate={create} onTry={onTryExample} />
      )
    }
    return (
      <VariablesTable
        variables={variables}
        usage={usage}
        compact={compact}
        isGuest={!user}
        scroller={scroller}
        onNearEnd={loadMore}
        onPreview={({ id }) => preview.show({ kind: 'open', id })}
        onEdit={({ id }) => editor.show({ kind: 'open', id })}
        onDelete={(variable) => void remove(variable)}
      />
    )
  }

  const editPreviewed = (id: number) => changeAddress({ preview: null, variable: id })
  const isCreating = editor.open?.kind === 'create'
  return (
    <>
      <PageHeader
        title="Variables"
        count={error || !list ? undefined : countOf(list)}
        search={
          <SearchInput
            aria-label="Search variables"
            placeholder="Search variables"
            value={filters.search}
            onSearch={(text) => change({ search: text })}
            isFound={isFound}
          />
        }
        action={<CreateButton label="New variable" short="New" disabled={!user} onCreate={create} />}
      />
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto p-6 pt-4 max-md:p-3.5">
        {status === 'anonymous' && <p className="pb-3 text-sm text-text-3">Log in to create variables.</p>}
        {results()}
      </div>
      {user && (isCreating || edited?.canEdit) && (
        <DialogSuspense>
          <VariableDialog
            key={edited?.id ?? 'new'}
            variable={edited ?? null}
            userId={user.id}
            onClose={() => editor.show(null)}
          />
        </DialogSuspense>
      )}
      <OpenHandOver kind="variable" nameOf={(asked) => variables?.find(({ id }) => id === asked)?.name} />
      {previewed && (
        <PreviewDialog
          key={previewed.id}
          variable={previewed}
          isGuest={!user}
          onEdit={() => editPreviewed(previewed.id)}
          onClose={() => preview.show(null)}
        />
      )}
    </>
  )
}

function useOpenVariable({
  open,
  variables,
}: {
  open: OpenItem
  variables: readonly ListedVariable[] | undefined
}): Variable | undefined {
  const id = open?.kind === 'open' ? open.id : null
  const listed = variables?.find((variable) => variable.id === id)
  const known = listed && isWhole(listed) && !listed.apiHeadersClipped ? listed : undefined
  const { data } = useQuery({ ...variableQuery(id ?? 0), enabled: id !== null && !!variables && !known })
  return known ?? (data?.id === id ? data : undefined)
}

function useRemoveVariable() {
  const queryClient = useQueryClient()
  const { mutate } = useDeleteVariable()
  return async ({ id, name }: Pick<Variable, 'id' | 'name'>) => {
    // An unknown usage must not prevent deleting.
    const usage = await queryClient.fetchQuery(variableUsageQuery(id)).catch(() => null)
    if (!window.confirm(questionOf({ name, usage }))) return
    mutate(id, {
      onSuccess: () => toast({ title: 'Variable deleted', description: `$<${name}> was deleted.` }),
      onError: toastFailure('Error deleting variable', errorReason),
    })
  }
}

function questionOf({ name, usage }: { name: string; usage: VariableUsage | null }): string {
  const question = `Delete the variable “${name}”?`
  if (!usage) return `${question} Prompts that use it keep $<${name}> as written.`
  const { prompts, chains } = usage
  if (prompts.length + chains.length === 0) return `${question} Nothing uses it.`
  const used = describeUsage({ prompts: prompts.length, chains: chains.length })
  const names = nameSome([...prompts.map(({ title }) => title), ...chains.map(({ name }) => name)])
  return `${question} It is used by ${used}: ${names}. They keep $<${name}> as written.`
}

function VariablesSkeleton() {
  return (
    <div role="status" className="animate-late rounded-card border border-line">
      <span className="sr-only">Loading variables</span>
      <div className="h-9" />
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-[48px] items-center gap-8 border-t border-line px-3.5">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-3.5 flex-1" />
          <Skeleton className="h-5 w-24 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
