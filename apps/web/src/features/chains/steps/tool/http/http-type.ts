import * as z from 'zod'
import type { ToolTypeForm } from '../tool-type-form.ts'
import { HttpAnswer, HttpFields, HttpSettings } from './http-fields.tsx'
import {
  checkHttp,
  httpChanges,
  httpDraftOf,
  httpFieldOf,
  httpForm,
  httpInputOf,
  httpRows,
  httpTextChanges,
  httpTextsWith,
  httpToolOf,
  readyHttpOf,
} from './http-form.ts'

/** Calls an address. */
export const httpType = {
  label: 'Call a service',
  Fields: HttpFields,
  Answer: HttpAnswer,
  Settings: HttpSettings,
  givesJson: ({ answer }) => answer.type === 'json',
  form: (shared) =>
    z
      .object({ ...shared, toolType: z.literal('http'), ...httpForm })
      .superRefine(checkHttp)
      .transform((values) => ({ ...values, tool: httpToolOf(values) })),
  ready: readyHttpOf,
  inputOf: httpInputOf,
  rows: httpRows,
  textsWith: httpTextsWith,
  draftOf: httpDraftOf,
  fieldOf: httpFieldOf,
  changes: httpChanges,
  textChanges: httpTextChanges,
} satisfies ToolTypeForm
