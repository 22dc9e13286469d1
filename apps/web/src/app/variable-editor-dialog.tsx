import { TagInput } from '../features/tags/tag-input.tsx'
import { VariableDialog, type VariableDialogProps } from '../features/variables/variable-dialog.tsx'

/** The variable's form with its tags. */
export default function VariableEditorDialog(props: Omit<VariableDialogProps, 'renderTagInput'>) {
  return <VariableDialog {...props} renderTagInput={(slot) => <TagInput kind="variable" {...slot} />} />
}
