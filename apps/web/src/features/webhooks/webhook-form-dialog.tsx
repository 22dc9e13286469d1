import {
  type CreatedWebhook,
  createWebhookRequest,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEventType,
} from '@catenary/contracts'
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import type * as z from 'zod'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useChangeWebhook, useCreateWebhook } from './webhooks.queries.ts'

type Typed = z.input<typeof createWebhookRequest>
type Sent = z.output<typeof createWebhookRequest>

const EVENTS = Object.entries(WEBHOOK_EVENTS) as [WebhookEventType, string][]
const AT_FIRST: WebhookEventType[] = ['run.failed', 'label.moved']

interface WebhookFormDialogProps {
  webhook: Webhook | null
  onCreated: (created: CreatedWebhook) => void
  onClose: () => void
}

export function WebhookFormDialog({ webhook, onCreated, onClose }: WebhookFormDialogProps) {
  const create = useCreateWebhook()
  const change = useChangeWebhook()
  const { register, control, formState, handleSubmit, setError } = useForm<Typed, unknown, Sent>({
    resolver: zodResolver(createWebhookRequest),
    defaultValues: {
      url: webhook?.url ?? '',
      events: webhook?.events ?? AT_FIRST,
      sendsTexts: webhook?.sendsTexts ?? false,
    },
  })
  const { errors, isDirty, isSubmitting } = formState
  const submit = handleSubmit(async (fields) => {
    try {
      if (webhook) await change.mutateAsync({ id: webhook.id, ...fields })
      else onCreated(await create.mutateAsync(fields))
      onClose()
    } catch (error) {
      setError('root', { message: errorReason(error) })
    }
  })
  return (
    <FormDialog
      onClose={onClose}
      title={webhook ? 'Edit endpoint' : 'Add endpoint'}
      description="Sends signed events about your runs, records and budget."
      submitLabel={webhook ? 'Save Changes' : 'Add Endpoint'}
      pendingLabel={webhook ? 'Saving...' : 'Adding...'}
      pending={isSubmitting}
      dirty={isDirty}
      error={errors.root?.message}
      onSubmit={submit}
    >
      <Field label="Endpoint" error={errors.url?.message} hint="A public https address that accepts POST.">
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://hooks.example.org/catenary"
          className="font-mono"
          {...register('url')}
        />
      </Field>
      <Controller
        control={control}
        name="events"
        render={({ field: { value, onChange } }) => (
          <EventChoice value={value} onChange={onChange} error={errors.events?.message} />
        )}
      />
      <Controller
        control={control}
        name="sendsTexts"
        render={({ field: { value = false, onChange, onBlur } }) => (
          <SwitchField
            label="Send texts of runs"
            hint="The input, answer and error of your own runs. When off, only ids, names and metrics."
            checked={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
    </FormDialog>
  )
}

interface EventChoiceProps {
  value: WebhookEventType[]
  onChange: (value: WebhookEventType[]) => void
  error: string | undefined
}

function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const { isAdmin } = useSession()
  const offered = EVENTS.filter(([event]) => isAdmin || event !== 'activity' || value.includes(event))
  const toggle = (event: WebhookEventType, isOn: boolean) =>
    onChange(EVENTS.map(([each]) => each).filter((each) => (each === event ? isOn : value.includes(each))))
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Events</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-0.5 max-md:grid-cols-1">
        {offered.map(([event, label]) => (
          <label
            key={event}
            className="flex min-h-7 items-center gap-2 rounded-control text-sm pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={value.includes(event)}
              onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
            />
            {label}
          </label>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
