import {
  ChainTokenDialog,
  type ChainTokenDialogProps,
} from '../../features/tokens/chain/chain-token-dialog.tsx'
import { useSuggestedName } from '../../lib/suggested-name.ts'

export default function ChainTokenEditorDialog(props: Omit<ChainTokenDialogProps, 'name'>) {
  const name = useSuggestedName()
  return <ChainTokenDialog {...props} name={name} />
}
