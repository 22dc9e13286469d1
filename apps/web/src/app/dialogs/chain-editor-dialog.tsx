import { EditChainDialog, type EditChainDialogProps } from '../../features/chains/edit-chain-dialog.tsx'
import { TagInput } from '../../features/shared/tags/tag-input.tsx'

/** The chain's form with its tags. */
export default function ChainEditorDialog(props: Omit<EditChainDialogProps, 'renderTagInput'>) {
  return <EditChainDialog {...props} renderTagInput={(slot) => <TagInput kind="chain" {...slot} />} />
}
