import { type FormEvent, useRef } from 'react'
import { Controller } from 'react-hook-form'
import { useLocation } from 'wouter'
import { DraftFormDialog } from '../../../components/forms/draft-form-dialog.tsx'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { useSuggestedName } from '../../../lib/suggested-name.ts'
import { ChainFields } from '../chain-fields.tsx'
import { useChainForm } from '../use-chain-form.ts'

const STAY = 'stay'

interface CreateChainDialogProps {
  userId: number
  onClose: () => void
}

export default function CreateChainDialog({ userId, onClose }: CreateChainDialogProps) {
  const [, navigate] = useLocation()
  const name = useSuggestedName()
  const created = useRef<number>(null)
  const opensIt = useRef(false)
  const { form, dialog } = useChainForm({
    chain: null,
    name,
    shares: [],
    isOwner: true,
    userId,
    onCreated: (id) => {
      created.current = id
    },
    onClose: () =>
      opensIt.current && created.current !== null
        ? navigate(`/chains/${created.current}`, { replace: true })
        : onClose(),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    opensIt.current = submitterOf(event)?.getAttribute('value') !== STAY
    return dialog.onSubmit(event)
  }
  return (
    <DraftFormDialog
      title="Create New Chain"
      submitLabel="Create and open"
      alsoSubmit={{ label: 'Create Chain', value: STAY }}
      pendingLabel="Creating..."
      {...dialog}
      onSubmit={submit}
    >
      <ChainFields form={form} />
      <Controller
        control={form.control}
        name="sharedLevel"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label="Public"
            hint={value === 'public' ? 'Everyone can see and run it.' : 'Only you can see it.'}
            checked={value === 'public'}
            onChange={(isPublic) => onChange(isPublic ? 'public' : 'private')}
            onBlur={onBlur}
          />
        )}
      />
    </DraftFormDialog>
  )
}

function submitterOf({ nativeEvent }: FormEvent): HTMLElement | null {
  return nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null
}
