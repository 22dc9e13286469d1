import { useQuery } from '@tanstack/react-query'
import { allChainsQuery } from '../../features/chains/chains.queries.ts'
import { BestTokenDialog, type BestTokenDialogProps } from '../../features/tokens/best/best-token-dialog.tsx'
import { useSuggestedName } from '../../lib/suggested-name.ts'

export default function BestTokenEditorDialog(props: Omit<BestTokenDialogProps, 'name' | 'chains'>) {
  const name = useSuggestedName()
  const { data: chains } = useQuery(allChainsQuery)
  return <BestTokenDialog {...props} name={name} chains={chains} />
}
