import { type ScheduleRecipient, splitRecipients } from '@catenary/contracts'
import { MailXIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Controller, type FieldErrors } from 'react-hook-form'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { MailUnset } from './mail-unset.tsx'
import type { ScheduleFieldsProps } from './schedule-fields-props.ts'
import type { ScheduleInput } from './schedule-form.ts'

export function RecipientsField({
  form: { control, register, formState },
  values,
  stored,
  mail,
}: Omit<ScheduleFieldsProps, 'chain' | 'chainId'>) {
  const addresses = splitRecipients(values.emailRecipients)
  const isOwn = (address: string) => address.toLowerCase() === mail?.ownAddress.toLowerCase()
  const answers = new Map(stored?.recipients.map(({ address, state }) => [address, state]))
  const unsettled = addresses.flatMap((address) => {
    const known = answers.get(address)
    const words = isOwn(address) ? ownText(known, mail) : STATES[known ?? 'ready']
    return words === '' ? [] : [{ address, words }]
  })
  return (
    <div className="grid gap-3">
      <Field
        label="Email recipients"
        action={<span className="text-xs text-text-3">comma separated</span>}
        hint={mail?.isSetUp ? whoMayBeMailed(mail) : null}
        {...errorOf({ errors: formState.errors, addresses })}
      >
        <Input
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="team@example.org, ops@example.org"
          {...register('emailRecipients')}
        />
      </Field>
      {unsettled.length > 0 && (
        <ul aria-label="Recipients without mail" className="grid gap-0.5 text-xs text-text-2">
          {unsettled.map(({ address, words }) => (
            <li key={address} className="wrap-anywhere">
              <strong className="font-medium">{address}</strong> {words}
            </li>
          ))}
        </ul>
      )}
      {mail && !mail.isSetUp && (
        <Banner role="note" icon={<MailXIcon className="self-start" />}>
          <MailUnset />
        </Banner>
      )}
      {addresses.length > 0 && (
        <Controller
          control={control}
          name="mailsSkipped"
          render={({ field: { value, onChange, onBlur } }) => (
            <SwitchField
              label="Also email when a run is skipped or missed"
              checked={value}
              onChange={onChange}
              onBlur={onBlur}
            />
          )}
        />
      )}
    </div>
  )
}

const STATES: Record<ScheduleRecipient['state'], string> = {
  ready: '',
  asked: 'was asked by email and hasn’t agreed yet.',
  refused: 'asked for no more email.',
}

function ownText(known: ScheduleRecipient['state'] | undefined, mail: ScheduleFieldsProps['mail']): string {
  if (known === 'refused' || mail?.ownAddressState === 'refused') return STATES.refused
  const waits = known === 'asked' || (known === undefined && mail?.ownAddressState === 'waiting')
  return waits
    ? 'is waiting for you to confirm it: follow the link in the email (Settings → Profile sends it again).'
    : ''
}

function whoMayBeMailed({
  recipients,
  domains,
  ownAddress,
  ownAddressState,
}: NonNullable<ScheduleFieldsProps['mail']>): ReactNode {
  if (recipients === 'any') return null
  const own = ownAddressState === 'confirmed' ? [ownAddress] : []
  const known = [...own, ...domains.map((domain) => `anyone at ${domain}`)]
  if (known.length === 0)
    return 'Each address is asked by email first, and gets results once its owner agrees.'
  return `Results go at once to ${known.join(', ')}. Any other address is asked by email first, and gets results once its owner agrees.`
}

function errorOf({ errors, addresses }: { errors: FieldErrors<ScheduleInput>; addresses: string[] }) {
  const found: { message?: string } | ({ message?: string } | undefined)[] | undefined =
    errors.emailRecipients
  if (!Array.isArray(found)) return { error: found?.message }
  const index = found.findIndex((each) => each !== undefined)
  return { error: found[index]?.message, errorOf: addresses.length > 1 ? addresses[index] : undefined }
}
