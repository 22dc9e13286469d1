import type { Category, Prompt } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import { ConflictPanel } from '../../components/conflict-panel.tsx'
import { DraftNotice } from '../../components/draft-notice.tsx'
import { FocusTarget } from '../../components/focus-target.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PromptEditor } from '../../components/prompt-editor.tsx'
import type { EditorVariable } from '../../components/prompt-editor-completion.ts'
import type { TagInputSlot } from '../../components/tag-input-slot.ts'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { differencesOf } from './prompt-form.ts'
import { PromptSwitches } from './prompt-switches.tsx'
import { usePromptForm } from './use-prompt-form.ts'

export interface PromptDialogProps {
  /** The prompt to edit; null creates one. */
  prompt: Prompt | null
  /** A new prompt's title to begin with. */
  title: string
  /** A new prompt's category, such as the one that the list is filtered by. */
  categoryId: number | null
  userId: number
  categories: readonly Category[]
  variables: readonly EditorVariable[]
  onCreateVariable: (name: string) => void
  onManageVariables: () => void
  renderCategoryPicker: (props: {
    value: number | null
    onChange: (categoryId: number) => void
    onBlur: () => void
  }) => ReactNode
  renderTagInput: TagInputSlot
  onClose: () => void
}

/** Create New Prompt, or Edit Prompt. */
export function PromptDialog(props: PromptDialogProps) {
  const { prompt, categories, variables } = props
  const { form, values, conflict, ...state } = usePromptForm(props)
  const { control, register, formState } = form
  const { errors, isDirty, isSubmitting } = formState
  return (
    <FormDialog
      open
      onOpenChange={(open) => open || state.close()}
      title={prompt ? 'Edit Prompt' : 'Create New Prompt'}
      submitLabel={prompt ? 'Save Changes' : 'Create Prompt'}
      pendingLabel="Saving..."
      pending={isSubmitting}
      dirty={isDirty}
      onSubmit={state.submit}
      footerStart={<span role="status">{state.isKept && 'Draft kept on this device'}</span>}
    >
      {conflict && (
        <ConflictPanel
          noun="prompt"
          differences={differencesOf({ mine: values, theirs: conflict, categories })}
          pending={isSubmitting}
          onTakeTheirs={() => state.takeTheirs(conflict)}
          onKeepMine={() => void state.keepMine(conflict)}
        />
      )}
      {state.isRestored && <DraftNotice onDiscard={state.discardDraft} />}
      <Field label="Title" error={errors.title?.message}>
        <Input autoComplete="off" {...register('title')} />
      </Field>
      <Field label="Category" error={errors.categoryId?.message}>
        <Controller
          control={control}
          name="categoryId"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <FocusTarget ref={ref} selector="button">
              {props.renderCategoryPicker({ value, onChange, onBlur })}
            </FocusTarget>
          )}
        />
      </Field>
      <Field
        label="Content"
        error={errors.content?.message}
        action={
          <Button
            variant="link"
            className="relative text-xs font-normal text-text-2 after:absolute after:-inset-1.5"
            onClick={props.onManageVariables}
          >
            Manage variables
          </Button>
        }
      >
        <Controller
          control={control}
          name="content"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <FocusTarget ref={ref} selector="[role=textbox]">
              <PromptEditor
                label="Content"
                value={value}
                onChange={onChange}
                onBlur={onBlur}
                variables={variables}
                onCreateVariable={props.onCreateVariable}
              />
            </FocusTarget>
          )}
        />
      </Field>
      <Field label="Tags" error={errors.tags?.message}>
        <Controller
          control={control}
          name="tags"
          render={({ field: { value, onChange } }) => (
            <>{props.renderTagInput({ value, onChange, ref: state.tagInput })}</>
          )}
        />
      </Field>
      <PromptSwitches control={control} />
    </FormDialog>
  )
}
