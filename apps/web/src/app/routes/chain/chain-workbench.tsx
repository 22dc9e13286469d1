import type { Chain } from '@catenary/contracts'
import { takesInput } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { PanelBoundary } from '../../../components/panel-boundary.tsx'
import { part } from '../../../components/part.tsx'
import { ChainPage } from '../../../features/chains/chain-page.tsx'
import { releasesOf } from '../../../features/chains/releases-of.ts'
import { stepsAsRun } from '../../../features/chains/steps/step-as-run.ts'
import { schemaOf } from '../../../features/model-settings/schema-of.ts'
import { ScheduleLinks } from '../../../features/schedules/schedule-links.tsx'
import { allVariablesQuery } from '../../../features/variables/variables.queries.ts'
import { TESTED_RUN, useOpenItem } from '../../../lib/open-item.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useAppDialogs } from '../../dialogs/app-dialogs.ts'

const SaveTestDialog = part(() => import('../../../features/test-suites/save-test-dialog.tsx'))
const ChainApiAccess = part(() => import('./chain-api-access.tsx'))
const EvaluationsDialog = part(() => import('../../../features/evaluations/evaluations-dialog.tsx'))

/** A chain with what building it draws on. */
export function ChainWorkbench({ chain }: { chain: Chain }) {
  const [, navigate] = useLocation()
  const { isAdmin } = useSession()
  const { open } = useAppDialogs()
  const { data } = useQuery(allVariablesQuery)
  const variables = useMemo(() => data?.map(({ name }) => name), [data])
  const tested = useOpenItem(TESTED_RUN)
  const [showsEvaluations, setShowsEvaluations] = useState(false)
  return (
    <>
      <ChainPage
        chain={chain}
        scheduling={
          <ScheduleLinks
            chain={{
              id: chain.id,
              canExecute: chain.canExecute,
              name: chain.name,
              takesInput: takesInput(stepsAsRun(chain.steps)),
              releases: releasesOf(chain),
              runVisibility: chain,
            }}
          />
        }
        variables={variables}
        onOpenModels={isAdmin ? () => open('models') : undefined}
        renderApiAccess={(props) => (
          <PanelBoundary title="API Access">
            <Suspense>
              <ChainApiAccess {...props} />
            </Suspense>
          </PanelBoundary>
        )}
        onEvaluate={() => setShowsEvaluations(true)}
        onDeleted={() => navigate('/chains')}
        onDuplicated={(id) => navigate(`/chains/${id}`)}
      />
      {tested.open?.kind === 'open' && chain.canEdit && (
        <DialogSuspense>
          <SaveTestDialog
            record={{ kind: 'chain', id: chain.id }}
            executionId={tested.open.id}
            schema={schemaOf(chain.steps.at(-1))}
            onShow={(suiteId) => navigate(`/chains/${chain.id}/tests?suite=${suiteId}`)}
            onClose={() => tested.show(null)}
          />
        </DialogSuspense>
      )}
      {showsEvaluations && (
        <DialogSuspense>
          <EvaluationsDialog
            record={{ kind: 'chain', id: chain.id, name: chain.name }}
            onClose={() => setShowsEvaluations(false)}
          />
        </DialogSuspense>
      )}
    </>
  )
}
