import type { StepTool, ToolType } from '@catenary/contracts'
import type { TemplateSyntax } from '../template/tokenize.ts'
import { findHttpFault } from './http/find-http-fault.ts'
import { destinationOfHttp } from './http/http-destination.ts'
import { fillHttp, type HttpCall, renderHttp } from './http/render-http.ts'
import { destinationOfMail, findMailFault, isMailedByValue, type MailCall, renderMail } from './mail/mail.ts'
import type { RenderedCall, ToolFault, ToolValues, TypeOfTool } from './type-of-tool.ts'

/** What goes out. */
export type ToolCall = HttpCall | MailCall

const TOOL_TYPES: Readonly<Record<ToolType, TypeOfTool<StepTool, ToolCall>>> = {
  http: { findFault: findHttpFault, destination: destinationOfHttp, render: renderHttp, fill: fillHttp },
  mail: {
    findFault: findMailFault,
    destination: destinationOfMail,
    goesByValue: isMailedByValue,
    render: renderMail,
  },
}

export const findToolFault = (tool: StepTool, syntax: TemplateSyntax): ToolFault | undefined =>
  TOOL_TYPES[tool.type].findFault(tool, syntax)

export const destinationOfTool = (tool: StepTool): string => TOOL_TYPES[tool.type].destination(tool)

export const renderCall = (tool: StepTool, values: ToolValues): RenderedCall<ToolCall> =>
  TOOL_TYPES[tool.type].render(tool, values)

export const fillCall = (call: ToolCall, tool: StepTool, values: ReadonlyMap<string, string>): ToolCall =>
  TOOL_TYPES[tool.type].fill?.(call, tool, values) ?? call

/** Whatever an earlier output is, a reference to it is one. */
const ANY_OUTPUT = { outputs: true, jsonOutputs: { has: () => true } }

/** Whether a value would decide who gets what the tool sends: then no private value is sent (D89). */
export const goesByValue = (tool: StepTool): boolean =>
  TOOL_TYPES[tool.type].goesByValue?.(tool, ANY_OUTPUT) ?? false
