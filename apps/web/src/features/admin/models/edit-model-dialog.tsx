import {
  CAPABILITIES,
  type Capability,
  type ManagedModel,
  MODEL_LABEL_MAX,
  updateModelRequest,
} from '@catenary/contracts'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { NumberInput } from '../../../components/ui/number-input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { numberOf, numberProblems, numberText } from '../../../lib/text/number-of.ts'
import { toast } from '../../../lib/toast.ts'
import { type FieldErrors, fieldErrors, refusalErrors } from './form-values.ts'
import { FoundModelsOf } from './found-models.tsx'
import type { ModelDialogProps } from './model-dialog.ts'
import { useUpdateModels } from './models.queries.ts'

const ALL_CAPABILITIES = Object.keys(CAPABILITIES) as Capability[]

interface Drafts {
  label: string
  modelId: string
  contextTokens: string
  monthlyLimitUsd: string
  capabilities: Partial<Record<Capability, boolean>>
}

export function EditModelDialog({ model, provider, onClose }: ModelDialogProps) {
  const { id, alias, isFromEnvironment, ownCapabilities, capabilities } = model
  const before = draftsOf(model)
  const [drafts, setDrafts] = useState(before)
  const [errors, setErrors] = useState<FieldErrors>({})
  const update = useUpdateModels()
  const change = (part: Partial<Drafts>) => {
    setDrafts({ ...drafts, ...part })
    setErrors({})
  }
  const isDirty = JSON.stringify(drafts) !== JSON.stringify(before)
  const submit = () => {
    if (!isDirty) return onClose()
    const { label, modelId, contextTokens, monthlyLimitUsd } = drafts
    const parsed = updateModelRequest.safeParse({
      label: label === before.label ? undefined : label,
      modelId: modelId === before.modelId ? undefined : modelId,
      contextTokens: contextTokens === before.contextTokens ? undefined : numberOf(contextTokens),
      monthlyLimitUsd: monthlyLimitUsd === before.monthlyLimitUsd ? undefined : numberOf(monthlyLimitUsd),
      capabilities: { ...ownCapabilities, ...drafts.capabilities },
    })
    if (!parsed.success) {
      const typed = numberProblems({ contextTokens, monthlyLimitUsd })
      return setErrors({ ...fieldErrors(parsed.error, 'Enter a number, such as 128000'), ...typed })
    }
    return update.mutate([{ id, ...parsed.data }], {
      onSuccess: () => {
        toast({ title: 'Model saved' })
        onClose()
      },
      onError: (error) => setErrors(refusalErrors(error)),
    })
  }
  const field = (name: 'contextTokens' | 'monthlyLimitUsd', placeholder = '') => (
    <NumberInput
      isWhole={name === 'contextTokens'}
      value={drafts[name]}
      placeholder={placeholder}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  )
  return (
    <FormDialog
      onClose={onClose}
      title={`Edit ${alias}`}
      description={
        isFromEnvironment
          ? 'Label and model id are set by the environment and can’t be changed here.'
          : 'The alias can’t be changed: prompts, steps and programs use it to name the model.'
      }
      submitLabel="Save"
      pending={update.isPending}
      dirty={isDirty}
      error={update.error && errorReason(update.error)}
      onSubmit={submit}
    >
      {!isFromEnvironment && (
        <>
          <Field label="Label" hint="Shown where models are chosen" error={errors.label}>
            <Input
              autoComplete="off"
              maxLength={MODEL_LABEL_MAX}
              value={drafts.label}
              onChange={(event) => change({ label: event.target.value })}
            />
          </Field>
          <FoundModelsOf
            provider={provider}
            value={drafts.modelId}
            error={errors.modelId}
            onChange={(modelId) => change({ modelId })}
          />
        </>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="Context in tokens"
          hint="Leave empty to use the known value"
          error={errors.contextTokens}
        >
          {field('contextTokens', 'unknown')}
        </Field>
        <Field
          label="Monthly limit in dollars"
          hint="No more calls once it is spent. Months are in UTC"
          error={errors.monthlyLimitUsd}
        >
          {field('monthlyLimitUsd', 'no limit')}
        </Field>
      </div>
      <fieldset className="grid gap-2.5 pointer-coarse:gap-6">
        <legend className="mb-2 text-sm font-medium text-text-2">What it can do</legend>
        {ALL_CAPABILITIES.map((one) => (
          <SwitchField
            key={one}
            label={CAPABILITIES[one].label}
            checked={drafts.capabilities[one] ?? capabilities[one]}
            onChange={(can) => change({ capabilities: { ...drafts.capabilities, [one]: can } })}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}

const draftsOf = ({ label, modelId, contextTokens, monthlyLimitUsd }: ManagedModel): Drafts => ({
  label,
  modelId,
  contextTokens: numberText(contextTokens),
  monthlyLimitUsd: numberText(monthlyLimitUsd),
  capabilities: {},
})
