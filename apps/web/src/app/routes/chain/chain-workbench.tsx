import type { Chain } from '@catenary/contracts'
import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { PanelBoundary } from '../../../components/panel-boundary.tsx'
import { part } from '../../../components/part.tsx'
import { ChainPage } from '../../../features/chains/chain-page.tsx'
import { schemaOf } from '../../../features/model-settings/schema-of.ts'
import { TESTED_RUN, useOpenItem } from '../../../lib/open-item.ts'
import { useSession } from '../../../lib/session/session.tsx'

const SaveTestDialog = part(() => import('../../../features/test-suites/save-test-dialog.tsx'))
const ApiAccess = part(() => import('../../../features/tokens/chain/api-access.tsx'))

export function ChainWorkbench({ chain }: { chain: Chain }) {
  const [, navigate] = useLocation()
  const { isAdmin } = useSession()
  const tested = useOpenItem(TESTED_RUN)
  return (
    <>
      <ChainPage
        chain={chain}
        onOpenModels={isAdmin ? () => navigate('/settings/models') : undefined}
        renderApiAccess={(props) => (
          <PanelBoundary title="API Access">
            <Suspense>
              <ApiAccess {...props} />
            </Suspense>
          </PanelBoundary>
        )}
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
    </>
  )
}
