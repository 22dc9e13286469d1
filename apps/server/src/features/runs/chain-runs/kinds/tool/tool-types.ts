import type { StepTool, ToolType } from '@catenary/contracts'
import type { ToolCall } from '@catenary/domain'
import { HTTP_IN_RUN } from './http/http.ts'
import { MAIL_IN_RUN } from './mail/mail.ts'
import type { SendingOf, TypeInRun } from './type-in-run.ts'

const TYPES: Readonly<Record<ToolType, TypeInRun<StepTool, ToolCall>>> = {
  http: HTTP_IN_RUN,
  mail: MAIL_IN_RUN,
}

export type Sending = SendingOf<StepTool, ToolCall>

export const inRun = ({ type }: StepTool) => TYPES[type]
