import { type Category, type Prompt, savePromptRequest, tag } from '@catenary/contracts'
import * as z from 'zod'
import type { Difference } from '../../components/forms/conflict-panel.tsx'
import { type ConflictRows, differencesBetween, namesOf } from '../../components/forms/conflict-rows.ts'
import { slugField } from '../library/slug-field.tsx'
import { outputForm, showOutput } from '../model-settings/output/output-form.ts'
import { outputInput } from '../model-settings/output/output-value.ts'
import { settingsForm } from '../model-settings/settings-form.ts'
import { settingRows } from '../model-settings/settings-text.ts'
import { settingsInput, settingsOf } from '../model-settings/settings-value.ts'

export const TOKENS_LABEL = 'Max tokens'

/** What is saved: the request's fields, with whole tags and the switch that is saved by its own call. */
export const promptForm = savePromptRequest
  .omit({ tagIds: true, revision: true })
  .required({ note: true })
  .extend({
    isActive: z.boolean(),
    isPublic: z.boolean(),
    tags: z.array(tag),
    slug: slugField,
    model: z.string().nullable(),
    ...settingsForm({ tokensLabel: TOKENS_LABEL }),
    output: outputForm,
  })
export type PromptForm = z.infer<typeof promptForm>

/** While it is being filled in nothing is required; the defaults are a new prompt's. */
export const promptInput = z.object({
  title: z.string().default(''),
  categoryId: z.int().nullable().default(null),
  content: z.string().default(''),
  model: z.string().nullable().default(null),
  ...settingsInput,
  output: outputInput,
  tags: z.array(tag).default([]),
  isActive: z.boolean().default(true),
  isPublic: z.boolean().default(false),
  note: z.string().default(''),
  slug: z.string().default(''),
})
export type PromptFormInput = z.output<typeof promptInput>

export function formOf(start: Prompt | Partial<PromptFormInput>): PromptFormInput {
  return promptInput.parse('id' in start ? { ...start, ...settingsOf(start) } : start)
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
  model: { label: 'Model', show: ({ model }) => model ?? 'No model set' },
  ...settingRows({ tokensLabel: TOKENS_LABEL }),
  output: { label: 'Output', show: ({ output }) => showOutput(output) },
  tags: { label: 'Tags', show: ({ tags }) => namesOf(tags) },
  isActive: { label: 'Active', show: ({ isActive }) => (isActive ? 'On' : 'Off') },
  isPublic: { label: 'Visibility', show: ({ isPublic }) => (isPublic ? 'Public' : 'Private') },
  slug: 'Slug',
})

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
