import { type Category, type Prompt, savePromptRequest, tag } from '@catenary/contracts'
import * as z from 'zod'
import type { Difference } from '../../components/conflict-panel.tsx'

/** The dialog's fields: the request's, with whole tags and the switch that is saved by its own call. */
export const promptForm = savePromptRequest
  .omit({ tagIds: true, revision: true })
  .extend({ isActive: z.boolean(), isPublic: z.boolean(), tags: z.array(tag) })
export type PromptForm = z.infer<typeof promptForm>

/** While it is being filled in, no category may be chosen yet. */
export type PromptFormInput = Omit<PromptForm, 'categoryId'> & { categoryId: number | null }

/** A draft remembers which revision it began with. */
export const promptDraft = z.object({
  revision: z.int().nullable(),
  values: z.object({
    title: z.string(),
    content: z.string(),
    categoryId: z.int().nullable(),
    isActive: z.boolean(),
    isPublic: z.boolean(),
    tags: z.array(tag),
  }),
})

/** What the form shows at first. */
export function formOf({
  prompt,
  title = '',
  categoryId = null,
}: {
  prompt: Prompt | null
  /** A new prompt's. */
  title?: string
  categoryId?: number | null
}): PromptFormInput {
  if (!prompt) return { title, content: '', categoryId, isActive: true, isPublic: false, tags: [] }
  const { content, isActive, isPublic, tags } = prompt
  return { title: prompt.title, content, categoryId: prompt.categoryId, isActive, isPublic, tags }
}

/** What the person's form and the stored prompt do not share. */
export function differencesOf({
  mine,
  theirs,
  categories,
}: {
  mine: PromptFormInput
  theirs: Prompt
  categories: readonly Pick<Category, 'id' | 'name'>[]
}): Difference[] {
  const category = categories.find(({ id }) => id === mine.categoryId)
  const rows = [
    { label: 'Title', mine: mine.title, theirs: theirs.title },
    { label: 'Category', mine: category?.name ?? '', theirs: theirs.category },
    { label: 'Content', mine: mine.content, theirs: theirs.content },
    { label: 'Tags', mine: namesOf(mine.tags), theirs: namesOf(theirs.tags) },
    { label: 'Active', mine: onOff(mine.isActive), theirs: onOff(theirs.isActive) },
    { label: 'Visibility', mine: visibility(mine.isPublic), theirs: visibility(theirs.isPublic) },
  ]
  return rows.filter((row) => row.mine !== row.theirs)
}

function namesOf(tags: readonly { name: string }[]): string {
  return tags
    .map(({ name }) => name)
    .sort()
    .join(', ')
}

function onOff(isOn: boolean): string {
  return isOn ? 'On' : 'Off'
}

function visibility(isPublic: boolean): string {
  return isPublic ? 'Public' : 'Private'
}
