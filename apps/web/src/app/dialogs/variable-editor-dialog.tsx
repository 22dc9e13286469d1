import { TagInput } from '../../features/shared/tags/tag-input.tsx'
import { VariableDialog, type VariableDialogProps } from '../../features/variables/variable-dialog.tsx'
import { useSuggestedName } from './suggested-name.ts'

/** The variable's form with its tags. */
export default function VariableEditorDialog(props: Omit<VariableDialogProps, 'renderTagInput'>) {
  const name = useSuggestedName()
  return (
    <VariableDialog
      name={name}
      {...props}
      renderTagInput={(slot) => <TagInput kind="variable" {...slot} />}
    />
  )
}
