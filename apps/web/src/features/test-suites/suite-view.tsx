import type { TestCase, TestSuite } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ListChecksIcon, PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { NothingFound } from '../../components/nothing-found.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorReason } from '../../lib/errors.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { toast } from '../../lib/toast.ts'
import { CaseDialog, type TestedText } from './case-dialog.tsx'
import { CaseRow } from './case-row.tsx'
import { SuiteDefaults } from './suite-defaults.tsx'
import {
  type TestedRecord,
  testCasesQuery,
  useDeleteCase,
  useDuplicateCase,
  useReorderCases,
} from './test-suites.queries.ts'

export interface SuiteViewProps {
  record: TestedRecord
  tested: TestedText
  suite: TestSuite
}

export function SuiteView({ record, tested, suite }: SuiteViewProps) {
  const { data: cases, error, refetch } = useQuery(testCasesQuery(suite.id))
  const { open, show } = useOpenItem('test')
  const [search, setSearch] = useState('')
  const [deleting, setDeleting] = useState<TestCase | null>(null)
  const duplicate = useDuplicateCase(suite.id)
  const remove = useDeleteCase(suite.id)
  const reorder = useReorderCases(suite.id)
  const opened = open?.kind === 'open' ? cases?.find(({ id }) => id === open.id) : null
  if (!cases && error) {
    return <ErrorState title="The tests could not be loaded" error={error} onRetry={() => void refetch()} />
  }
  if (!cases) return <CasesSkeleton />
  const moveUp = (index: number) => {
    const ids = cases.map(({ id }) => id)
    const moved = ids.splice(index, 1)
    reorder.mutate(ids.toSpliced(index - 1, 0, ...moved), { onError: toastError('Failed to move test') })
  }
  const found = cases.filter((testCase) => matches(testCase, search))
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Input
          type="search"
          aria-label="Search tests"
          placeholder="Search tests"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="w-64 max-sm:w-full"
        />
        {suite.canEdit && (
          <Button variant="secondary" onClick={() => show({ kind: 'create' })}>
            <PlusIcon />
            New Test
          </Button>
        )}
      </div>
      <SuiteDefaults suite={suite} schema={tested.schema} />
      {cases.length === 0 ? (
        <NoCases onAdd={suite.canEdit ? () => show({ kind: 'create' }) : undefined} />
      ) : found.length === 0 ? (
        <NothingFound
          title="No tests found"
          description="No tests match your search."
          onClear={() => setSearch('')}
        />
      ) : (
        <ul
          aria-label={`Tests of ${suite.name}`}
          className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
        >
          {found.map((testCase, index) => (
            <CaseRow
              key={testCase.id}
              testCase={testCase}
              canEdit={suite.canEdit}
              onOpen={() => show({ kind: 'open', id: testCase.id })}
              onMoveUp={found.length === cases.length && index > 0 ? () => moveUp(index) : undefined}
              onDuplicate={() =>
                duplicate.mutate(testCase, { onError: toastError('Failed to duplicate test') })
              }
              onDelete={() => setDeleting(testCase)}
            />
          ))}
        </ul>
      )}
      {open && opened !== undefined && (
        <CaseDialog
          key={opened?.id ?? 'new'}
          record={record}
          tested={tested}
          suite={suite}
          testCase={opened}
          canEdit={suite.canEdit}
          onClose={() => show(null)}
        />
      )}
      {deleting && (
        <ConfirmDialog
          onClose={() => setDeleting(null)}
          title="Delete test?"
          description={`“${deleting.name}” will be deleted. Evaluations that ran it keep their results.`}
          pending={remove.isPending}
          onConfirm={() =>
            remove.mutate(deleting, {
              onError: toastError('Failed to delete test'),
              onSettled: () => setDeleting(null),
            })
          }
        />
      )}
    </div>
  )
}

const toastError = (title: string) => (error: unknown) =>
  toast({ title, description: errorReason(error), variant: 'destructive' })

function matches({ name, tags, values, input }: TestCase, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return [name, input, ...tags, ...Object.values(values)].some((text) => text.toLowerCase().includes(wanted))
}

function NoCases({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={<ListChecksIcon />}
      title="No tests yet"
      about="tests"
      description="A test gives values and says what must be true of the answer. Turn a good answer into one with Save as test."
      action={onAdd && <Button onClick={onAdd}>New Test</Button>}
    />
  )
}

function CasesSkeleton() {
  return (
    <div role="status" className="grid animate-late gap-px overflow-hidden rounded-card border border-line">
      <span className="sr-only">Loading tests...</span>
      {[0, 1, 2, 3].map((each) => (
        <div key={each} className="grid gap-2 px-4 py-3">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-3 w-1/2" />
        </div>
      ))}
    </div>
  )
}
