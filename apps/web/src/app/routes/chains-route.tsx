import { Suspense } from 'react'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { part } from '../../components/part.tsx'
import { ChainsPage } from '../../features/chains/library/chains-page.tsx'

const BestChainAccess = part(() => import('./best-chain-access.tsx'))

export default function ChainsRoute() {
  return (
    <ChainsPage
      bestChain={
        <PanelBoundary title="Best Chain API Access">
          <Suspense>
            <BestChainAccess />
          </Suspense>
        </PanelBoundary>
      }
    />
  )
}
