import type { ListedTestSuite } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { DownloadIcon, FileUpIcon, ListChecksIcon, PlusIcon, ScaleIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { BackLink } from '../../components/back-link.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenuItem } from '../../components/ui/dropdown-menu.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { idIn, useAddress } from '../../lib/address.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import type { TestedText } from './case-dialog.tsx'
import { SuiteView } from './suite-view.tsx'
import {
  exportAddress,
  type TestedRecord,
  testSuiteQuery,
  testSuitesQuery,
  useDeleteSuite,
} from './test-suites.queries.ts'

const ImportDialog = part(() => import('./import-dialog.tsx'))
const RunEvaluationDialog = part(() => import('../evaluations/run-evaluation-dialog.tsx'))
const NewSuiteDialog = part(() => import('./new-suite-dialog.tsx'))

export interface TestsPageProps {
  record: TestedRecord
  title: string
  tested: TestedText
  canEdit: boolean
  backHref: string
}

export function TestsPage({ record, title, tested, canEdit, backHref }: TestsPageProps) {
  const heading = `${title} - Tests`
  useDocumentTitle(heading)
  const [params, change] = useAddress()
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<'new' | 'import' | 'evaluate' | null>(null)
  const { data: suites, error, refetch } = useQuery(testSuitesQuery(record))
  const wanted = idIn(params.get('suite'))
  const chosen = suites?.find(({ id }) => id === wanted) ?? suites?.[0]
  const show = (id: number) => change({ suite: id, test: null }, { replace: true })
  return (
    <>
      <PageHeader
        title={<span title={heading}>{heading}</span>}
        start={<BackLink href={backHref} label="Back" />}
        action={
          canEdit && (
            <>
              <Button variant="secondary" aria-label="Import" onClick={() => setDialog('import')}>
                <FileUpIcon />
                <span className="max-md:hidden">Import</span>
              </Button>
              <Button aria-label="New Suite" onClick={() => setDialog('new')}>
                <PlusIcon />
                <span className="max-md:hidden">New Suite</span>
              </Button>
            </>
          )
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-5 pb-16 max-md:px-3.5 max-md:pt-3.5">
        <div className="mx-auto grid max-w-[1080px] gap-4">
          {!suites && error && (
            <ErrorState title="The tests could not be loaded" error={error} onRetry={() => void refetch()} />
          )}
          {!suites && !error && <Skeleton className="h-8 w-64 animate-late" />}
          {suites?.length === 0 && (
            <NoSuites
              kind={record.kind}
              onCreate={canEdit ? () => setDialog('new') : undefined}
              onImport={() => setDialog('import')}
            />
          )}
          {suites && chosen && <SuiteTabs suites={suites} chosen={chosen} onChoose={show} />}
          {chosen && (
            <Suite
              key={chosen.id}
              id={chosen.id}
              record={record}
              tested={tested}
              onEvaluate={() => setDialog('evaluate')}
            />
          )}
        </div>
      </div>
      {dialog !== null && (
        <DialogSuspense>
          {dialog === 'new' && (
            <NewSuiteDialog record={record} onMade={show} onClose={() => setDialog(null)} />
          )}
          {dialog === 'evaluate' && chosen && (
            <RunEvaluationDialog
              record={{ ...record, name: title }}
              initial={{ suiteId: chosen.id }}
              onStarted={(id) => navigate(`/evaluations/${id}`)}
              onClose={() => setDialog(null)}
            />
          )}
          {dialog === 'import' && (
            <ImportDialog record={record} onMade={show} onClose={() => setDialog(null)} />
          )}
        </DialogSuspense>
      )}
    </>
  )
}

interface SuiteTabsProps {
  suites: readonly ListedTestSuite[]
  chosen: ListedTestSuite
  onChoose: (id: number) => void
}

function SuiteTabs({ suites, chosen, onChoose }: SuiteTabsProps) {
  return (
    <nav aria-label="Test suites" className="flex min-w-0 flex-wrap gap-1.5">
      {suites.map(({ id, name, caseCount }) => (
        <button
          key={id}
          type="button"
          aria-current={id === chosen.id ? 'true' : undefined}
          onClick={() => onChoose(id)}
          className={cn(
            'flex h-8 max-w-full min-w-0 items-center gap-2 rounded-control border border-line px-3 text-sm transition-colors hover:border-line-strong pointer-coarse:h-11',
            id === chosen.id && 'border-transparent bg-accent-soft font-medium text-accent-text',
          )}
        >
          <span dir="auto" className="truncate">
            {name}
          </span>
          <span className={id === chosen.id ? undefined : 'text-text-3'}>{caseCount}</span>
        </button>
      ))}
    </nav>
  )
}

type SuiteProps = Pick<TestsPageProps, 'record' | 'tested'> & { id: number; onEvaluate: () => void }

function Suite({ id, record, tested, onEvaluate }: SuiteProps) {
  const { data: suite, error, refetch } = useQuery(testSuiteQuery(id))
  const [isDeleting, setIsDeleting] = useState(false)
  const remove = useDeleteSuite()
  if (!suite) {
    if (!error) return null
    return <ErrorState title="The suite could not be loaded" error={error} onRetry={() => void refetch()} />
  }
  return (
    <section aria-label={suite.name} className="grid min-w-0 gap-3">
      <div className="flex min-w-0 items-center gap-2">
        <h2 dir="auto" className="min-w-0 truncate text-md font-[570] tracking-[-0.01em]">
          {suite.name}
        </h2>
        <div className="ml-auto flex shrink-0 items-center gap-1.5">
          <Button variant="secondary" size="sm" onClick={onEvaluate}>
            <ScaleIcon />
            Evaluate
          </Button>
          <MoreMenu of={suite.name} size="icon">
            <DropdownMenuItem asChild>
              <a href={exportAddress(suite.id)} download>
                <DownloadIcon />
                Export for promptfoo
              </a>
            </DropdownMenuItem>
            {suite.canEdit && (
              <DropdownMenuItem variant="destructive" onSelect={() => setIsDeleting(true)}>
                <Trash2Icon />
                Delete suite
              </DropdownMenuItem>
            )}
          </MoreMenu>
        </div>
      </div>
      <SuiteView record={record} tested={tested} suite={suite} />
      {isDeleting && (
        <ConfirmDialog
          onClose={() => setIsDeleting(false)}
          title="Delete suite?"
          description={`“${suite.name}” and its tests will be deleted. Evaluations keep their results; protected labels no longer require it. This cannot be undone.`}
          pending={remove.isPending}
          onConfirm={() =>
            remove.mutate(suite.id, {
              onError: (error) =>
                toast({
                  title: 'Failed to delete suite',
                  description: errorReason(error),
                  variant: 'destructive',
                }),
              onSettled: () => setIsDeleting(false),
            })
          }
        />
      )}
    </section>
  )
}

function NoSuites({
  kind,
  onCreate,
  onImport,
}: {
  kind: TestedRecord['kind']
  onCreate: (() => void) | undefined
  onImport: () => void
}) {
  return (
    <EmptyState
      icon={<ListChecksIcon />}
      title="No test suites yet"
      about="tests"
      description={`A suite says what must be true of each answer of this ${kind}, so you can check a change before others get it.`}
      action={
        onCreate && (
          <>
            <Button variant="secondary" onClick={onImport}>
              Import a File
            </Button>
            <Button onClick={onCreate}>New Suite</Button>
          </>
        )
      }
    />
  )
}
