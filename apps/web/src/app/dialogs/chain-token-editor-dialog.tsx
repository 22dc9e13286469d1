import {
  ChainTokenDialog,
  type ChainTokenDialogProps,
} from '../../features/tokens/chain/chain-token-dialog.tsx'
import { useSuggestedName } from '../../lib/suggested-name.ts'

/** The form of a chain's token, a new one's name starting with what was typed into the palette. */
export default function ChainTokenEditorDialog(props: Omit<ChainTokenDialogProps, 'name'>) {
  const name = useSuggestedName()
  return <ChainTokenDialog {...props} name={name} />
}
