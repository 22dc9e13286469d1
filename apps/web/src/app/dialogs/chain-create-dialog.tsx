import {
  CreateChainDialog,
  type CreateChainDialogProps,
} from '../../features/chains/library/create-chain-dialog.tsx'
import { useSuggestedName } from './suggested-name.ts'

/** A new chain's form, its name begun by what was typed into the palette. */
export default function ChainCreateDialog(props: Omit<CreateChainDialogProps, 'name'>) {
  const name = useSuggestedName()
  return <CreateChainDialog {...props} name={name} />
}
