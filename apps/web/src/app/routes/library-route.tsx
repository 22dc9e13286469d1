import type { ListedPrompt } from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { useAuthGate } from '../../features/accounts/auth-gate.tsx'
import { useMakeExamples } from '../../features/examples/examples.queries.ts'
import { ExamplesLine } from '../../features/examples/examples-line.tsx'
import {
  firstStepsQuery,
  TRY_SANDBOX,
  useRefreshFirstSteps,
} from '../../features/first-steps/first-steps.queries.ts'
import { LibraryPage } from '../../features/prompts/library-page.tsx'
import { idIn, useAddress } from '../../lib/address.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'

const StartCard = part(() => import('../../features/examples/start-card.tsx'))
const ImportDialog = part(() => import('../../features/imports/import-dialog.tsx'))
const ExportDialog = part(() => import('../../features/exports/export-dialog.tsx'))
const ExecutePromptDialog = part(() => import('../../features/prompt-runs/execute-prompt-dialog.tsx'))

export default function LibraryRoute() {
  const { user } = useSession()
  const [params, change] = useAddress()
  const openId = idIn(params.get('execute'))
  const { open: openImport, show: showImport } = useOpenItem('import')
  const { open: openExport, show: showExport } = useOpenItem('export')
  const guard = useAuthGate()
  const startImport = () => guard(() => showImport({ kind: 'create' }))
  const [lastOpened, setLastOpened] = useState<ListedPrompt | null>(null)
  const execute = useCallback(
    (prompt: ListedPrompt) => {
      setLastOpened(prompt)
      change({ execute: prompt.id })
    },
    [change],
  )
  useTriedSandbox()
  const refreshFirstSteps = useRefreshFirstSteps()
  // The strip above every page asks.
  const { data: steps } = useQuery({ ...firstStepsQuery, enabled: false })
  const closeRun = useCallback(() => {
    change({ execute: null, sent: null })
    refreshFirstSteps()
  }, [change, refreshFirstSteps])
  return (
    <>
      <LibraryPage
        onExecute={execute}
        onImport={startImport}
        onExport={() => guard(() => showExport({ kind: 'create' }))}
        note={<ExamplesLine isNewcomer={steps?.isOver === false && steps.promptId === null} />}
        renderStart={(props) => (
          <Suspense>
            <StartCard {...props} onImport={startImport} />
          </Suspense>
        )}
      />
      {user && openImport !== null && (
        <DialogSuspense>
          <ImportDialog onClose={() => showImport(null)} />
        </DialogSuspense>
      )}
      {user && openExport !== null && (
        <DialogSuspense>
          <ExportDialog onClose={() => showExport(null)} />
        </DialogSuspense>
      )}
      {user && openId !== null && (
        <DialogSuspense>
          <ExecutePromptDialog
            key={openId}
            id={openId}
            known={lastOpened?.id === openId ? lastOpened : undefined}
            onClose={closeRun}
          />
        </DialogSuspense>
      )}
    </>
  )
}

/** Whoever goes on without a model's key comes to a prompt that runs: the newest of the examples. */
function useTriedSandbox(): void {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const { mutateAsync: makeExamples } = useMakeExamples()
  const isWanted = isTrySandbox(useHistoryState<unknown>())
  const begin = useEffectEvent(async () => {
    // Coming back or reloading the page does not begin again.
    history.replaceState(null, '')
    await makeExamples()
    const { promptId } = await client.fetchQuery(firstStepsQuery)
    if (promptId !== null) navigate(`/execute/${promptId}`)
  })
  useEffect(() => {
    // What fails is said by a toast.
    if (isWanted) void begin().catch(() => undefined)
  }, [isWanted])
}

function isTrySandbox(state: unknown): boolean {
  return typeof state === 'object' && state !== null && Object.keys(TRY_SANDBOX).every((key) => key in state)
}
