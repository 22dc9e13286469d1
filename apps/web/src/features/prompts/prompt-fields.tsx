import type { Prompt } from '@catenary/contracts'
import type { Ref } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { useLocation } from 'wouter'
import { FocusTarget } from '../../components/focus-target.tsx'
import { FormSwitch } from '../../components/forms/form-switch.tsx'
import { FormEditor } from '../../components/prompt-editor/form-editor.tsx'
import type { EditorVariable } from '../../components/prompt-editor/prompt-editor-completion.ts'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { OthersNames } from '../fills/others-names.tsx'
import { CategoryPicker } from '../library/categories/category-picker.tsx'
import { SlugField } from '../library/slug-field.tsx'
import { FormTags, type TagInputHandle } from '../library/tags/tag-input.tsx'
import { VersionNoteField } from '../records/versions/version-note-field.tsx'
import { useEditorVariables } from '../variables/use-editor-variables.ts'
import { ModelAndOutput } from './model-and-output.tsx'
import type { PromptForm, PromptFormInput } from './prompt-form.ts'

const NO_VARIABLES: readonly EditorVariable[] = []

export interface PromptFieldsProps {
  form: UseFormReturn<PromptFormInput, unknown, PromptForm>
  onCreateVariable: (name: string) => void
  tagInput: Ref<TagInputHandle>
  isLarge?: boolean
  mayPublish: boolean
  prompt: Prompt | null
  /** The version that a save would make of what is filled in; null: none that can have a note. */
  nextVersion: number | null
}

export function PromptFields({
  form,
  tagInput,
  isLarge = false,
  mayPublish,
  prompt,
  nextVersion,
  onCreateVariable,
}: PromptFieldsProps) {
  const [, navigate] = useLocation()
  const variables = useEditorVariables() ?? NO_VARIABLES
  const { control, register, formState } = form
  const { errors } = formState
  const { user } = useSession()
  return (
    <>
      <div className={isLarge ? 'grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_224px]' : 'contents'}>
        <Field label="Title" error={errors.title?.message}>
          <Input autoComplete="off" {...register('title')} />
        </Field>
        <Field label="Category" error={errors.categoryId?.message}>
          <Controller
            control={control}
            name="categoryId"
            render={({ field: { ref, value, onChange, onBlur } }) => (
              <FocusTarget ref={ref} selector="button">
                <CategoryPicker value={value} onChange={onChange} onBlur={onBlur} />
              </FocusTarget>
            )}
          />
        </Field>
      </div>
      <Field
        label="Content"
        error={errors.content?.message}
        action={
          <Button
            variant="link"
            className="text-xs font-normal text-text-2"
            onClick={() => navigate('/variables')}
          >
            Manage variables
          </Button>
        }
      >
        <FormEditor
          control={control}
          name="content"
          label="Content"
          variables={variables}
          onCreateVariable={onCreateVariable}
          className={
            isLarge ? 'min-h-[max(168px,calc(100dvh-470px))] [--prompt-editor-max:70dvh]' : undefined
          }
        />
      </Field>
      <OthersNames names={prompt?.othersNames} />
      <ModelAndOutput form={form} templates={{ variables, onCreateVariable }} isLarge={isLarge} />
      {nextVersion !== null && (
        <VersionNoteField version={nextVersion} error={errors.note?.message} {...register('note')} />
      )}
      <FormTags control={control} name="tags" kind="prompt" error={errors.tags?.message} ref={tagInput} />
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <FormSwitch control={control} name="isActive" label="Active" />
        {mayPublish && <FormSwitch control={control} name="isPublic" label="Make Prompt Public" />}
      </div>
      {prompt && (
        <SlugField
          kind="prompt"
          stored={prompt.slug}
          isOwn={user?.username === prompt.owner}
          error={errors.slug?.message}
          {...register('slug')}
        />
      )}
    </>
  )
}
