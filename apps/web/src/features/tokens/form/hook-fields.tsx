import { HOOK_DELIVERY_HEADERS, HOOK_SIGNATURE_HEADERS } from '@catenary/contracts'
import { Controller } from 'react-hook-form'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { FORM_NAMES } from '../hooks/hook-texts.ts'
import { type ReachFieldsProps, SIGNATURE_CHOICES } from './token-form.ts'

/** How calls of a chain's own address are signed, and how their repeats are known. */
export function HookFields({ form, values, token }: ReachFieldsProps) {
  const { signatureForm: chosen } = values
  const isSet = token?.signature != null
  return (
    <>
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Signature</p>
        <Controller
          control={form.control}
          name="signatureForm"
          render={({ field: { value, onChange } }) => (
            <SegmentedControl
              aria-label="Signature"
              value={value}
              onValueChange={onChange}
              className="justify-self-start max-sm:w-full"
            >
              {SIGNATURE_CHOICES.map((each) => (
                <SegmentedControlItem key={each} value={each} className="max-sm:px-1">
                  {FORM_NAMES[each]}
                </SegmentedControlItem>
              ))}
            </SegmentedControl>
          )}
        />
        <p className="text-xs text-text-3">
          {chosen === 'none'
            ? 'Whoever has the address can start the chain.'
            : 'HMAC-SHA256. A call without the right signature starts nothing.'}
        </p>
      </div>
      {chosen !== 'none' && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field
            label="Secret"
            hint={isSet ? 'Leave it empty to keep the one that is set.' : 'The same as there.'}
          >
            <Input
              type="password"
              autoComplete="new-password"
              placeholder={isSet ? 'set' : ''}
              {...form.register('signatureSecret')}
            />
          </Field>
          <Field label="Header of the signature">
            <Input
              autoComplete="off"
              spellCheck={false}
              placeholder={HOOK_SIGNATURE_HEADERS[chosen]}
              {...form.register('signatureHeader')}
            />
          </Field>
        </div>
      )}
      <Field
        label="Header of the delivery’s id"
        hint="What comes again with the same id within 7 days isn’t run again."
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          placeholder={HOOK_DELIVERY_HEADERS.join(' or ')}
          {...form.register('deliveryHeader')}
        />
      </Field>
    </>
  )
}
