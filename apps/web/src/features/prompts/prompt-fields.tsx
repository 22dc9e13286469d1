import { type Category, type Prompt, savePromptRequest, tag } from '@catenary/contracts'
import type { Ref } from 'react'
import { type Control, Controller, type UseFormReturn } from 'react-hook-form'
import { useLocation } from 'wouter'
import * as z from 'zod'
import { FocusTarget } from '../../components/focus-target.tsx'
import type { Difference } from '../../components/forms/conflict-panel.tsx'
import { type ConflictRows, differencesBetween, namesOf } from '../../components/forms/conflict-rows.ts'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { PromptEditor } from '../../components/prompt-editor/prompt-editor.tsx'
import type { EditorVariable } from '../../components/prompt-editor/prompt-editor-completion.ts'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { CategoryPicker } from '../shared/categories/category-picker.tsx'
import { OutputFields } from '../shared/output/output-fields.tsx'
import { outputForm, showOutput } from '../shared/output/output-form.ts'
import { outputInput } from '../shared/output/output-value.ts'
import { SlugField, slugField } from '../shared/slugs/slug-field.tsx'
import { TagInput, type TagInputHandle } from '../shared/tags/tag-input.tsx'
import { useEditorVariables } from '../shared/variables/use-editor-variables.ts'
import { VersionNoteField } from '../shared/versions/version-note-field.tsx'

/** Settings that the form has no fields for yet: they stay as they are stored. */
const SETTINGS = {
  model: true,
  fallbackModel: true,
  moreFallbackModels: true,
  effort: true,
  temperature: true,
  maxTokens: true,
  stop: true,
  systemPrompt: true,
  messages: true,
} as const

/** What is saved: the request's fields, with whole tags and the switch that is saved by its own call. */
export const promptForm = savePromptRequest
  .omit({ tagIds: true, revision: true, ...SETTINGS })
  .required({ note: true })
  .extend({
    isActive: z.boolean(),
    isPublic: z.boolean(),
    tags: z.array(tag),
    slug: slugField,
    output: outputForm,
  })
export type PromptForm = z.infer<typeof promptForm>

/** While it is being filled in nothing is required; the defaults are a new prompt's. */
export const promptInput = z.object({
  title: z.string().default(''),
  categoryId: z.int().nullable().default(null),
  content: z.string().default(''),
  output: outputInput,
  tags: z.array(tag).default([]),
  isActive: z.boolean().default(true),
  isPublic: z.boolean().default(false),
  note: z.string().default(''),
  slug: z.string().default(''),
})
export type PromptFormInput = z.output<typeof promptInput>

/** What the form shows at first: a stored prompt, or what a new one begins with. */
export function formOf(start: Prompt | Partial<PromptFormInput>): PromptFormInput {
  return promptInput.parse(start)
}

type Categories = readonly Pick<Category, 'id' | 'name'>[]

/** A note belongs to one save, and can't conflict. */
const rowsWith = (categories: Categories): ConflictRows<Omit<PromptFormInput, 'note'>> => ({
  title: 'Title',
  categoryId: {
    label: 'Category',
    show: ({ categoryId }) => categories.find(({ id }) => id === categoryId)?.name ?? '',
  },
  content: 'Content',
  output: { label: 'Output', show: ({ output }) => showOutput(output) },
  tags: { label: 'Tags', show: ({ tags }) => namesOf(tags) },
  isActive: { label: 'Active', show: ({ isActive }) => (isActive ? 'On' : 'Off') },
  isPublic: { label: 'Visibility', show: ({ isPublic }) => (isPublic ? 'Public' : 'Private') },
  slug: 'Slug',
})

/** What the person's form and the stored prompt do not share. */
export function differencesOf({
  mine,
  theirs,
  categories,
}: {
  mine: PromptFormInput
  theirs: Prompt
  categories: Categories
}): Difference[] {
  const known = [{ id: theirs.categoryId, name: theirs.category }, ...categories]
  return differencesBetween({ rows: rowsWith(known), mine, theirs: formOf(theirs) })
}

const NO_VARIABLES: readonly EditorVariable[] = []

export interface PromptFieldsProps {
  form: UseFormReturn<PromptFormInput, unknown, PromptForm>
  onCreateVariable: (name: string) => void
  tagInput: Ref<TagInputHandle>
  /** On a page: the text has the room. */
  isLarge?: boolean
  /** Editors do not decide whether everyone sees it. */
  mayPublish: boolean
  /** Null for a new one. */
  prompt: Prompt | null
  /** The version that a save would make of what is filled in; null: none that can have a note. */
  nextVersion: number | null
}

/** The inputs of a prompt. */
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
  return (
    <>
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
                onCreateVariable={onCreateVariable}
                className={
                  isLarge ? 'min-h-[max(168px,calc(100dvh-430px))] [--prompt-editor-max:70dvh]' : undefined
                }
              />
            </FocusTarget>
          )}
        />
      </Field>
      <Controller
        control={control}
        name="output"
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <FocusTarget ref={ref} selector="[aria-invalid], [data-add-field]">
            <OutputFields value={value} onChange={onChange} onBlur={onBlur} error={errors.output?.message} />
          </FocusTarget>
        )}
      />
      {nextVersion !== null && (
        <VersionNoteField version={nextVersion} error={errors.note?.message} {...register('note')} />
      )}
      <Field label="Tags" error={errors.tags?.message}>
        <Controller
          control={control}
          name="tags"
          render={({ field: { value, onChange } }) => (
            <TagInput kind="prompt" value={value} onChange={onChange} ref={tagInput} />
          )}
        />
      </Field>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <FormSwitch control={control} name="isActive" label="Active" />
        {mayPublish && <FormSwitch control={control} name="isPublic" label="Make Prompt Public" />}
      </div>
      {prompt && (
        <SlugField kind="prompt" stored={prompt.slug} error={errors.slug?.message} {...register('slug')} />
      )}
    </>
  )
}

interface FormSwitchProps {
  control: Control<PromptFormInput, unknown, PromptForm>
  name: 'isActive' | 'isPublic'
  label: string
}

function FormSwitch({ control, name, label }: FormSwitchProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur } }) => (
        <SwitchField label={label} checked={value} onChange={onChange} onBlur={onBlur} />
      )}
    />
  )
}
