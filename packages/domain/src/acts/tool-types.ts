import type { StepTool, ToolType } from '@catenary/contracts'
import type { TemplateSyntax } from '../template/tokenize.ts'
import { findHttpFault } from './http/find-http-fault.ts'
import { destinationOfHttp } from './http/http-destination.ts'
import { type HttpCall, renderHttp } from './http/render-http.ts'
import type { RenderedCall, ToolFault, ToolValues, TypeOfTool } from './type-of-tool.ts'

/** What goes out. */
export type ToolCall = HttpCall

const TOOL_TYPES: Readonly<Record<ToolType, TypeOfTool<StepTool, ToolCall>>> = {
  http: { findFault: findHttpFault, destination: destinationOfHttp, render: renderHttp },
}

export const findToolFault = (tool: StepTool, syntax: TemplateSyntax): ToolFault | undefined =>
  TOOL_TYPES[tool.type].findFault(tool, syntax)

export const destinationOfTool = (tool: StepTool): string => TOOL_TYPES[tool.type].destination(tool)

export const renderCall = (tool: StepTool, values: ToolValues): RenderedCall<ToolCall> =>
  TOOL_TYPES[tool.type].render(tool, values)
