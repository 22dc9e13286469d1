import type { ToolType } from '@catenary/contracts'
import { httpType } from './http/http-type.ts'
import { mailType } from './mail/mail-type.ts'
import type { ToolTypeForm } from './tool-type-form.ts'

/** How each type of tool is filled in. */
export const TOOL_FORMS = {
  http: httpType,
  mail: mailType,
} satisfies Record<ToolType, ToolTypeForm>

/** The same to be gone through. */
export const EACH_TYPE: readonly ToolTypeForm[] = Object.values(TOOL_FORMS)

export const typeFormOf = (type: ToolType): ToolTypeForm => TOOL_FORMS[type]
