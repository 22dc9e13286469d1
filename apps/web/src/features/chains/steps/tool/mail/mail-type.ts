import * as z from 'zod'
import type { ToolShared, ToolTypeForm } from '../tool-type-form.ts'
import { MailFields } from './mail-fields.tsx'
import {
  checkMail,
  mailChanges,
  mailFieldOf,
  mailForm,
  mailInputOf,
  mailRows,
  mailTextChanges,
  mailTextsWith,
  mailToolOf,
} from './mail-form.ts'

/** Sends an email. */
export const mailType = {
  label: 'Send an email',
  Fields: MailFields,
  givesJson: () => true,
  form: (shared: ToolShared) =>
    z
      .object({ ...shared, toolType: z.literal('mail'), ...mailForm })
      .superRefine(checkMail)
      .transform((values) => ({ ...values, tool: mailToolOf(values) })),
  ready: mailToolOf,
  inputOf: mailInputOf,
  rows: mailRows,
  textsWith: mailTextsWith,
  fieldOf: mailFieldOf,
  changes: mailChanges,
  textChanges: mailTextChanges,
} satisfies ToolTypeForm
