import { TOOL_TYPES } from '@catenary/contracts'
import * as z from 'zod'
import { httpInput } from './http/http-form.ts'
import { mailInput } from './mail/mail-form.ts'

/** What a step does outside, while it is being filled in; the fields of all types stand side by side. */
export const toolInput = {
  toolType: z.enum(TOOL_TYPES).default('http'),
  ...httpInput,
  ...mailInput,
}
