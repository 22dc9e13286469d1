import { Controller } from 'react-hook-form'
import { DraftFormDialog } from '../../../components/draft-form-dialog.tsx'
import { SwitchField } from '../../../components/switch-field.tsx'
import { ChainFields } from '../chain-fields.tsx'
import { useChainForm } from '../use-chain-form.ts'

export interface CreateChainDialogProps {
  /** What the name begins with. */
  name: string
  userId: number
  onClose: () => void
}

/** Create New Chain. */
export function CreateChainDialog(props: CreateChainDialogProps) {
  const { form, dialog } = useChainForm({ chain: null, shares: [], isOwner: true, ...props })
  return (
    <DraftFormDialog
      title="Create New Chain"
      submitLabel="Create Chain"
      pendingLabel="Creating..."
      {...dialog}
    >
      <ChainFields form={form} />
      <Controller
        control={form.control}
        name="sharedLevel"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label={
              value === 'public' ? 'Public: everyone can see and run it' : 'Private: only you can see it'
            }
            checked={value === 'public'}
            onChange={(isPublic) => onChange(isPublic ? 'public' : 'private')}
            onBlur={onBlur}
          />
        )}
      />
    </DraftFormDialog>
  )
}
