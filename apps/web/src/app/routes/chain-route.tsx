import { useParams } from 'wouter'
import { ChainLoader, ChainNotFound } from '../../features/chains/chain-loader.tsx'
import { ChainWorkbench } from './chain/chain-workbench.tsx'

export default function ChainRoute() {
  const { id = '' } = useParams<{ id: string }>()
  if (!/^[1-9]\d{0,9}$/.test(id)) return <ChainNotFound />
  return <ChainLoader key={id} id={Number(id)} render={(chain) => <ChainWorkbench chain={chain} />} />
}
