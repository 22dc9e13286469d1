import { HTTP_METHODS } from '@catenary/contracts'
import { SEALED_MARK } from '@catenary/domain'
import { Controller, useWatch } from 'react-hook-form'
import { FormSwitch } from '../../../../../components/forms/form-switch.tsx'
import { FormEditor } from '../../../../../components/prompt-editor/form-editor.tsx'
import { ChoiceSelect } from '../../../../../components/ui/choice-select.tsx'
import { Field } from '../../../../../components/ui/field.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../../components/ui/segmented-control.tsx'
import { FormOutput } from '../../../../model-settings/output/output-fields.tsx'
import type { KindFieldsProps } from '../../kind-form.ts'
import { ANSWER_LABEL, BODY_TEXTS } from './http-form.ts'
import { PartFields } from './part-fields.tsx'
import { ReadyMadeChoice } from './ready-made-choice.tsx'
import { SealButton, SealedValue } from './sealed-value.tsx'
import { type Sealing, useSealing } from './use-sealing.ts'

const METHODS = HTTP_METHODS.map((value) => ({ value, label: value }))
const BODIES = Object.entries(BODY_TEXTS) as [keyof typeof BODY_TEXTS, string][]

/** Where a call goes, with what. */
export function HttpFields({ form, templates, chain, step }: KindFieldsProps) {
  const { control, formState } = form
  const { errors } = formState
  const method = useWatch({ control, name: 'method' })
  const sealing = useSealing({ chain, step })
  return (
    <>
      {step === null && <ReadyMadeChoice form={form} maySeal={sealing.owner === null} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-2 gap-y-4 sm:grid-cols-[6.5rem_minmax(0,1fr)]">
        <Field label="Method" error={errors.method?.message}>
          <Controller
            control={control}
            name="method"
            render={({ field: { ref, value, onChange } }) => (
              <ChoiceSelect choices={METHODS} value={value} onChange={onChange} trigger={{ ref }} />
            )}
          />
        </Field>
        <AddressField form={form} templates={templates} sealing={sealing} />
      </div>
      <PartFields
        form={form}
        of="query"
        label="Query"
        word="parameter"
        templates={templates}
        sealing={sealing}
      />
      <PartFields
        form={form}
        of="headers"
        label="Headers"
        word="header"
        templates={templates}
        sealing={sealing}
        hint={
          sealing.owner === null
            ? 'Seal a key, and nobody reads it: it is sent to this host by this method alone, for whoever runs the chain.'
            : `Only ${sealing.owner} sets sealed values.`
        }
      />
      {method !== 'GET' && <BodyFields form={form} templates={templates} />}
    </>
  )
}

function AddressField({
  form,
  templates,
  sealing,
}: Pick<KindFieldsProps, 'form' | 'templates'> & { sealing: Sealing }) {
  const { control, setValue } = form
  const error = form.formState.errors.address?.message
  const seal = useWatch({ control, name: 'addressSeal' })
  const change = { shouldDirty: true } as const
  return (
    <div className="flex items-start gap-1">
      <Field
        label="Address"
        hint={error ? null : seal ? SEALED_HINT : ADDRESS_HINT}
        error={error}
        className="min-w-0 flex-1"
      >
        {seal ? (
          <Controller
            control={control}
            name="address"
            render={({ field: { value, onChange } }) => (
              <SealedValue
                shown={`${seal.origin}/${SEALED_MARK}`}
                hasValue={sealing.hasValue('url', '')}
                owner={sealing.owner}
                value={value}
                isReplaced={seal.isReplaced || value !== ''}
                name="the address"
                placeholder="https://hooks.example.org/…"
                onChange={onChange}
                onReplace={() => setValue('addressSeal', { ...seal, isReplaced: true }, change)}
              />
            )}
          />
        ) : (
          <FormEditor
            control={control}
            name="address"
            label="Address"
            {...templates}
            isOneLine
            placeholder="https://api.example.org"
          />
        )}
      </Field>
      {(sealing.owner === null || seal) && (
        <SealButton
          name="the address"
          isSealed={seal !== null}
          onChange={(next) =>
            setValue('addressSeal', next ? { origin: '', isReplaced: false } : null, change)
          }
          className="mt-6 pointer-coarse:mt-5.5"
        />
      )}
    </div>
  )
}

const ADDRESS_HINT =
  'It begins with https://, or with http:// where an administrator allows that. A reference stands for a whole part between slashes or a whole value of the query, never for the host.'
const SEALED_HINT = 'Nobody reads it: only its host is shown.'

/** What is sent, of a method that sends something. */
function BodyFields({
  form: { control, formState },
  templates,
}: Pick<KindFieldsProps, 'form' | 'templates'>) {
  const bodyType = useWatch({ control, name: 'bodyType' })
  return (
    <section aria-label="Body" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <span aria-hidden="true" className="text-xs font-medium text-text-2">
          Body
        </span>
        <Controller
          control={control}
          name="bodyType"
          render={({ field: { value, onChange } }) => (
            <SegmentedControl aria-label="Kind of body" value={value} onValueChange={onChange}>
              {BODIES.map(([type, label]) => (
                <SegmentedControlItem key={type} value={type}>
                  {label}
                </SegmentedControlItem>
              ))}
            </SegmentedControl>
          )}
        />
      </div>
      {bodyType !== 'none' && (
        <Field label="Body" hideLabel hint={HINTS[bodyType]} error={formState.errors.body?.message}>
          <FormEditor
            control={control}
            name="body"
            label="Body"
            {...templates}
            isForModel={false}
            className="min-h-24"
          />
        </Field>
      )}
    </section>
  )
}

const HINTS = {
  json: 'A reference alone is a value, as in "amount": {{order.amount}}. In quotes it is its text, escaped for you.',
  text: 'Sent as it is written, with its references filled in.',
  form: 'A line for each field, as name=value.',
} as const

/** What comes back. */
export function HttpAnswer({ form: { control, formState } }: KindFieldsProps) {
  return (
    <FormOutput
      control={control}
      name="answer"
      title={ANSWER_LABEL}
      hint="Without fields any JSON is taken."
      error={formState.errors.answer?.message}
    />
  )
}

/** Whether it may be called again. */
export function HttpSettings({ form: { control } }: KindFieldsProps) {
  return (
    <FormSwitch
      control={control}
      name="safeToRepeat"
      label="Safe to repeat"
      hint="Where the service is busy or does not answer, the call is sent again with the same Idempotency-Key, three times at most."
    />
  )
}
