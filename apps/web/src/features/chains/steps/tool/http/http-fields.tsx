import { HTTP_METHODS } from '@catenary/contracts'
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

const METHODS = HTTP_METHODS.map((value) => ({ value, label: value }))
const BODIES = Object.entries(BODY_TEXTS) as [keyof typeof BODY_TEXTS, string][]

/** Where a call goes, with what. */
export function HttpFields({ form, templates }: KindFieldsProps) {
  const { control, formState } = form
  const { errors } = formState
  const method = useWatch({ control, name: 'method' })
  return (
    <>
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
        <Field
          label="Address"
          hint={
            errors.address
              ? null
              : 'It begins with https://, or with http:// where an administrator allows that. A reference stands for a whole part between slashes or a whole value of the query, never for the host.'
          }
          error={errors.address?.message}
        >
          <FormEditor
            control={control}
            name="address"
            label="Address"
            {...templates}
            isOneLine
            placeholder="https://api.example.org"
          />
        </Field>
      </div>
      <PartFields form={form} of="query" label="Query" word="parameter" templates={templates} />
      <PartFields
        form={form}
        of="headers"
        label="Headers"
        word="header"
        templates={templates}
        hint={
          <>
            Put a key into a private variable and write{' '}
            <code className="rounded-[4px] bg-ref-soft px-1 text-ref">{'Bearer $<name>'}</code> as the value
            of Authorization.
          </>
        }
      />
      {method !== 'GET' && <BodyFields form={form} templates={templates} />}
    </>
  )
}

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
