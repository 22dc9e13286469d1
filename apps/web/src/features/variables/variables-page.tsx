import type { Variable } from '@catenary/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { BracesIcon, PlusIcon, SearchXIcon } from 'lucide-react'
import { Fragment, type ReactNode, useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { toast } from '../../components/ui/toast.tsx'
import { errorReason } from '../../lib/errors.ts'
import { useFilters } from '../../lib/filters.ts'
import { COMPACT, useMediaQuery } from '../../lib/media-query.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session.tsx'
import { useAriaKeys } from '../../lib/shortcuts.ts'
import { useShortcut } from '../../lib/use-shortcut.ts'
import { useDeleteVariable, variablesQuery } from './variables.queries.ts'
import { VariablesSkeleton } from './variables-skeleton.tsx'
import { VariablesTable } from './variables-table.tsx'

export interface VariablesPageProps {
  /** The dialog that creates (`variable` is null) or edits; the app puts it together. */
  renderEditor: (props: { variable: Variable | null; userId: number; onClose: () => void }) => ReactNode
}

/** All variables that this person can see. */
export function VariablesPage({ renderEditor }: VariablesPageProps) {
  const { user, status } = useSession()
  const compact = useMediaQuery(COMPACT)
  const [filters, change] = useFilters()
  const { open, show } = useOpenItem('variable')
  const { data, error, refetch } = useQuery({
    ...variablesQuery({ tagIds: filters.tagIds }),
    placeholderData: keepPreviousData,
  })
  const { mutate: remove } = useDeleteVariable()
  const variables = useMemo(
    () => data && search({ variables: data, text: filters.search }),
    [data, filters.search],
  )
  const isFiltered = filters.search.trim() !== '' || filters.tagIds.length > 0

  const create = () => user && show({ kind: 'create' })
  const createKeys = useAriaKeys('create')
  useShortcut({ id: 'create', onPress: create })

  const confirmAndDelete = ({ id, name }: Variable) => {
    if (!window.confirm(`Delete the variable “${name}”? Prompts that use it keep $<${name}> as it is.`))
      return
    remove(id, {
      onSuccess: () => toast({ title: 'Variable deleted', description: `$<${name}> was deleted.` }),
      onError: (error) =>
        toast({
          title: 'Error deleting variable',
          description: errorReason(error),
          variant: 'destructive',
        }),
    })
  }

  const results = () => {
    if (error) {
      return (
        <ErrorState
          title="There was an error loading variables. Please try again."
          error={error}
          onRetry={() => void refetch()}
        />
      )
    }
    if (!variables) return <VariablesSkeleton />
    if (variables.length === 0 && isFiltered) {
      return (
        <EmptyState
          icon={<SearchXIcon />}
          title="No variables found"
          description="No variable fits the search and the tags."
          action={
            <Button variant="secondary" onClick={() => change({ search: '', tagIds: [] })}>
              Clear filters
            </Button>
          }
        />
      )
    }
    if (variables.length === 0) {
      return (
        <EmptyState
          icon={<BracesIcon />}
          title="No variables yet"
          description={
            <>
              A variable holds a text that many prompts use. Where a prompt says{' '}
              <code className="rounded-[4px] bg-ref-soft px-1 text-ref">$&lt;brand_voice&gt;</code>, its value
              is put in.
            </>
          }
          action={
            user && (
              <Button onClick={create}>
                <PlusIcon />
                New variable
              </Button>
            )
          }
        />
      )
    }
    return (
      <VariablesTable
        variables={variables}
        compact={compact}
        isGuest={!user}
        onEdit={({ id }) => show({ kind: 'open', id })}
        onDelete={confirmAndDelete}
      />
    )
  }

  const edited = open?.kind === 'open' ? data?.find(({ id }) => id === open.id) : null
  return (
    <>
      <PageHeader
        title="Variables"
        count={error ? undefined : variables?.length}
        search={
          <SearchInput
            aria-label="Search variables"
            placeholder="Search variables"
            value={filters.search}
            onSearch={(text) => change({ search: text })}
          />
        }
        action={
          <Button onClick={create} disabled={!user} aria-keyshortcuts={createKeys} aria-label="New variable">
            <PlusIcon />
            <span>
              New<span className="max-md:hidden"> variable</span>
            </span>
            <ShortcutKeys id="create" className="max-md:hidden" />
          </Button>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto p-6 pt-4 max-md:p-3.5">
        {status === 'anonymous' && <p className="pb-3 text-sm text-text-3">Log in to create variables.</p>}
        {results()}
      </div>
      {user && open && edited !== undefined && (edited === null || edited.canEdit) && (
        <Fragment key={edited?.id ?? 'new'}>
          {renderEditor({ variable: edited, userId: user.id, onClose: () => show(null) })}
        </Fragment>
      )}
    </>
  )
}

function search({ variables, text }: { variables: Variable[]; text: string }): Variable[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return variables
  return variables.filter(
    ({ name, content }) => name.toLowerCase().includes(wanted) || content.toLowerCase().includes(wanted),
  )
}
