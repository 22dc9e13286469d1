import { type RegisteredPrice, registeredPrice } from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput } from '../../../components/ui/number-input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { numberOf, numberProblems, numberText } from '../../../lib/text/number-of.ts'
import { toast } from '../../../lib/toast.ts'
import { type FieldErrors, fieldErrors } from './form-values.ts'
import type { ModelDialogProps } from './model-dialog.ts'
import { useUpdateModels } from './models.queries.ts'

const FIELDS = [
  { name: 'input', label: 'Input', hint: 'Dollars per million tokens' },
  { name: 'output', label: 'Output', hint: 'Dollars per million tokens' },
  { name: 'cached', label: 'Input from a cache', hint: 'Leave empty for the vendor’s usual rate' },
] as const

type Drafts = Record<keyof RegisteredPrice, string>

export function PricesDialog({ model, onClose }: ModelDialogProps) {
  const { id, alias, price, isOwnPrice } = model
  const before: Drafts = isOwnPrice ? draftsOf(price) : draftsOf(null)
  const [drafts, setDrafts] = useState(before)
  const [errors, setErrors] = useState<FieldErrors>({})
  const update = useUpdateModels()
  const isDirty = FIELDS.some(({ name }) => drafts[name] !== before[name])
  const submit = () => {
    if (!isDirty) return onClose()
    const isEmpty = FIELDS.every(({ name }) => drafts[name].trim() === '')
    const parsed = registeredPrice.nullable().safeParse(isEmpty ? null : valuesOf(drafts))
    if (!parsed.success)
      return setErrors({
        ...fieldErrors(parsed.error, 'A price is a number of dollars, such as 1.25'),
        ...numberProblems(drafts),
      })
    return update.mutate([{ id, prices: parsed.data }], {
      onSuccess: () => {
        toast({ title: 'Prices saved', description: `They apply to calls to ${alias} from now on.` })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Prices for ${alias}`}
      description="They apply from now on. Leave all empty to use the known price, if there is one."
      submitLabel="Save"
      pending={update.isPending}
      dirty={isDirty}
      error={update.error && errorReason(update.error)}
      onSubmit={submit}
    >
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {FIELDS.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint} error={errors[name]}>
            <NumberInput
              value={drafts[name]}
              placeholder={price?.[name]?.toString() ?? 'not set'}
              onChange={(event) => {
                setDrafts({ ...drafts, [name]: event.target.value })
                setErrors({})
              }}
            />
          </Field>
        ))}
      </div>
    </FormDialog>
  )
}

const draftsOf = (price: RegisteredPrice | null): Drafts => ({
  input: numberText(price?.input),
  output: numberText(price?.output),
  cached: numberText(price?.cached),
})

const valuesOf = ({ input, output, cached }: Drafts) => ({
  input: numberOf(input),
  output: numberOf(output),
  cached: numberOf(cached),
})
