import { Suspense } from 'react'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { part } from '../../components/part.tsx'
import { ChainsPage } from '../../features/chains/library/chains-page.tsx'

const BestChainSection = part(() => import('../../features/tokens/best/best-chain-section.tsx'))

export default function ChainsRoute() {
  return (
    <ChainsPage
      bestChain={
        <PanelBoundary title="Best Chain API Access">
          <Suspense>
            <BestChainSection />
          </Suspense>
        </PanelBoundary>
      }
    />
  )
}
