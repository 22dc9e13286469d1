import * as z from 'zod'
import { HTTP_TOOL, httpTool } from './http-tool.ts'
import type { ToolAnswer } from './tool-parts.ts'
import type { TypeOfTool } from './type-of-tool.ts'

/** What a step of kind `tool` does. */
export const stepTool = z.discriminatedUnion('type', [httpTool])
export type StepTool = z.infer<typeof stepTool>
export const TOOL_TYPES = ['http'] as const satisfies readonly StepTool['type'][]
export type ToolType = (typeof TOOL_TYPES)[number]

/** A further type of tool is an entry here, in `TOOL_TYPES` of the domain and where it runs, and two on the web. */
const TYPES: Readonly<Record<ToolType, TypeOfTool<StepTool>>> = { http: HTTP_TOOL }

export const toolTextsOf = (tool: StepTool): string[] => TYPES[tool.type].texts(tool)

export const withToolTexts = (tool: StepTool, change: (text: string) => string): StepTool =>
  TYPES[tool.type].withTexts(tool, change)

export const answerOfTool = (tool: StepTool): ToolAnswer => TYPES[tool.type].answer(tool)

export const isSafeToRepeat = (tool: StepTool): boolean => TYPES[tool.type].isSafeToRepeat(tool)
