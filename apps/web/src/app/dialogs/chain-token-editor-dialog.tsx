import { ChainTokenDialog } from '../../features/tokens/chain/chain-token-dialog.tsx'
import type { UseTokenFormOptions } from '../../features/tokens/use-token-form.ts'
import { useSuggestedName } from './suggested-name.ts'

/** The form of a chain's token, a new one's name begun by what was typed into the palette. */
export default function ChainTokenEditorDialog(props: Omit<UseTokenFormOptions, 'name'>) {
  const name = useSuggestedName()
  return <ChainTokenDialog {...props} name={name} />
}
