import type { Tag, Variable } from '@catenary/contracts'
import { useId } from 'react'
import { Controller } from 'react-hook-form'
import { ConflictPanel, type Difference } from '../../components/conflict-panel.tsx'
import { DraftNotice } from '../../components/draft-notice.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import type { TagInputSlot } from '../../components/tag-input-slot.ts'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Label } from '../../components/ui/label.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { type UseVariableFormOptions, useVariableForm } from './use-variable-form.ts'
import type { VariableForm } from './variable-form.ts'

export interface VariableDialogProps extends UseVariableFormOptions {
  renderTagInput: TagInputSlot
}

/** Creates or edits a text variable. */
export function VariableDialog({ renderTagInput, ...options }: VariableDialogProps) {
  const { variable } = options
  const { form, values, conflict, ...state } = useVariableForm(options)
  const { control, register, formState } = form
  const { errors, isDirty, isSubmitting } = formState
  const publicId = useId()
  return (
    <FormDialog
      open
      onOpenChange={(open) => open || state.close()}
      title={variable ? 'Edit Variable' : 'Create New Variable'}
      submitLabel={variable ? 'Save Changes' : 'Create Variable'}
      pendingLabel="Saving..."
      pending={isSubmitting}
      dirty={isDirty}
      onSubmit={state.submit}
      className="max-w-[480px]"
      footerStart={<span role="status">{state.isKept && 'Draft kept on this device'}</span>}
    >
      {conflict && (
        <ConflictPanel
          noun="variable"
          differences={differencesOf({ mine: values, theirs: conflict })}
          pending={isSubmitting}
          onTakeTheirs={() => state.takeTheirs(conflict)}
          onKeepMine={() => void state.keepMine(conflict)}
        />
      )}
      {state.isRestored && <DraftNotice onDiscard={state.discardDraft} />}
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
      <Field label="Content" error={errors.content?.message}>
        <Textarea rows={5} className="prompt-text max-h-[40vh] min-h-28" {...register('content')} />
      </Field>
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
          <div className="flex items-center gap-2">
            <Switch id={publicId} checked={value} onCheckedChange={onChange} />
            <Label htmlFor={publicId} className="text-sm font-normal text-text">
              Make Variable Public
            </Label>
          </div>
        )}
      />
    </FormDialog>
  )
}

function differencesOf({ mine, theirs }: { mine: VariableForm; theirs: Variable }): Difference[] {
  const rows = [
    { label: 'Name', mine: mine.name, theirs: theirs.name },
    { label: 'Content', mine: mine.content, theirs: theirs.content },
    { label: 'Tags', mine: namesOf(mine.tags), theirs: namesOf(theirs.tags) },
    { label: 'Visibility', mine: visibility(mine.isPublic), theirs: visibility(theirs.isPublic) },
  ]
  return rows.filter((row) => row.mine !== row.theirs)
}

function namesOf(tags: readonly Tag[]): string {
  return tags
    .map(({ name }) => name)
    .sort()
    .join(', ')
}

function visibility(isPublic: boolean): string {
  return isPublic ? 'Public' : 'Private'
}
