import { saveVariableRequest, tag, VARIABLE_CONTENT_MAX, type Variable } from '@catenary/contracts'
import * as z from 'zod'

/** The dialog's fields: the request's, with whole tags. */
export const variableForm = z.object({
  name: saveVariableRequest.shape.name,
  content: z
    .string()
    .max(
      VARIABLE_CONTENT_MAX,
      `Content must be at most ${VARIABLE_CONTENT_MAX.toLocaleString('en')} characters`,
    ),
  isPublic: z.boolean(),
  tags: z.array(tag),
})
export type VariableForm = z.infer<typeof variableForm>

/** A draft remembers which revision it began with. */
export const variableDraft = z.object({
  revision: z.int().nullable(),
  values: z.object({ name: z.string(), content: z.string(), isPublic: z.boolean(), tags: z.array(tag) }),
})

/** What the form shows at first. */
export function formOf({
  variable,
  name = '',
}: {
  variable: Variable | null
  name?: string | undefined
}): VariableForm {
  if (!variable) return { name, content: '', isPublic: false, tags: [] }
  const { content, isPublic, tags } = variable
  return { name: variable.name, content, isPublic, tags }
}
