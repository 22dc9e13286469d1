import type { VariableType } from '@catenary/contracts'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { DraftFormDialog } from '../../components/draft-form-dialog.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import type { TagInputSlot } from '../../components/tag-input-slot.ts'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { VariableTypeIcon } from '../../components/variable-kind.tsx'
import { ApiFields } from './api-fields.tsx'
import { type ChosenFile, FileField } from './file-field.tsx'
import { GoogleDriveField } from './google-drive-field.tsx'
import { RenameNotice } from './rename-notice.tsx'
import { type UseVariableFormOptions, useVariableForm } from './use-variable-form.ts'

const TYPES: { type: VariableType; label: string; short?: string }[] = [
  { type: 'text', label: 'Text' },
  { type: 'file', label: 'File' },
  { type: 'api', label: 'API' },
  { type: 'googleDrive', label: 'Google Drive', short: 'Drive' },
]

export interface VariableDialogProps extends UseVariableFormOptions {
  renderTagInput: TagInputSlot
}

/** Creates or edits a variable: its type decides which fields there are. */
export function VariableDialog({ renderTagInput, ...options }: VariableDialogProps) {
  const { variable } = options
  const { form, values, ...state } = useVariableForm(options)
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [isUploading, setIsUploading] = useState(false)
  const { control, register, formState } = form
  const { errors, isDirty, isSubmitting } = formState
  const { type } = values
  return (
    <DraftFormDialog
      title={variable ? 'Edit Variable' : 'Create New Variable'}
      submitLabel={variable ? 'Save Changes' : 'Create Variable'}
      pendingLabel={isUploading ? 'Uploading...' : 'Saving...'}
      pending={isSubmitting || isUploading}
      dirty={isDirty}
      onSubmit={state.submit}
      draft={state.draft}
      conflict={state.conflict}
      onClose={state.close}
    >
      <Field
        label="Name"
        hint="Letters, digits and underscores, no spaces. Used in prompts as $<name>."
        error={errors.name?.message}
      >
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="brand_voice"
          className="font-mono"
          {...register('name')}
        />
      </Field>
      {variable && state.isRenamed && (
        <RenameNotice
          variable={variable}
          name={values.name.trim()}
          rewrites={state.rewrites}
          onRewritesChange={state.setRewrites}
        />
      )}
      <Controller
        control={control}
        name="type"
        render={({ field: { value, onChange } }) => (
          <div className="grid gap-1.5">
            <p aria-hidden="true" className="text-xs font-medium text-text-2">
              Type
            </p>
            <SegmentedControl aria-label="Type" value={value} onValueChange={onChange} className="flex">
              {TYPES.map(({ type, label, short = label }) => (
                <SegmentedControlItem key={type} value={type} aria-label={label} className="px-1.5">
                  <VariableTypeIcon type={type} className="max-sm:hidden" />
                  <span className="max-sm:hidden">{label}</span>
                  <span className="sm:hidden">{short}</span>
                </SegmentedControlItem>
              ))}
            </SegmentedControl>
          </div>
        )}
      />
      {type === 'text' && (
        <Field label="Content" error={errors.content?.message}>
          <Textarea rows={5} className="prompt-text max-h-[40vh] min-h-28" {...register('content')} />
        </Field>
      )}
      {type === 'file' && (
        <FileField
          form={form}
          variable={variable}
          chosen={chosen}
          onChoose={setChosen}
          onBusyChange={setIsUploading}
        />
      )}
      {type === 'api' && <ApiFields form={form} variable={variable} />}
      {type === 'googleDrive' && <GoogleDriveField form={form} />}
      <Field label="Tags" error={errors.tags?.message}>
        <Controller
          control={control}
          name="tags"
          render={({ field: { value, onChange } }) => (
            <>{renderTagInput({ value, onChange, ref: state.tagInput })}</>
          )}
        />
      </Field>
      <Controller
        control={control}
        name="isPublic"
        render={({ field: { value, onChange } }) => (
          <SwitchField label="Make Variable Public" checked={value} onChange={onChange} />
        )}
      />
    </DraftFormDialog>
  )
}
