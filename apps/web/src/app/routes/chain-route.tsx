import { ChainLoader, ChainNotFound } from '../../features/chains/chain-loader.tsx'
import { usePathId } from '../../lib/address.ts'
import { ChainWorkbench } from './chain/chain-workbench.tsx'

export default function ChainRoute() {
  const id = usePathId()
  if (id === null) return <ChainNotFound />
  return <ChainLoader key={id} id={id} render={(chain) => <ChainWorkbench chain={chain} />} />
}
