import * as z from 'zod'
import { HTTP_TOOL, httpTool, writtenHttpTool } from './http-tool.ts'
import { MAIL_TOOL, mailTool } from './mail-tool.ts'
import { isSealed } from './sealed-parts.ts'
import type { ToolAnswer } from './tool-parts.ts'
import type { TypeOfTool } from './type-of-tool.ts'

/** What a step of kind `tool` does. */
export const stepTool = z.discriminatedUnion('type', [httpTool, mailTool])
export type StepTool = z.infer<typeof stepTool>
export const TOOL_TYPES = ['http', 'mail'] as const satisfies readonly StepTool['type'][]

/** The same as it is sent. */
export const writtenTool = z.discriminatedUnion('type', [writtenHttpTool, mailTool])
export type WrittenTool = z.infer<typeof writtenTool>
export type ToolType = (typeof TOOL_TYPES)[number]

/** A further type of tool is an entry here, in `TOOL_TYPES` of the domain and where it runs, and two on the web. */
const TYPES: Readonly<Record<ToolType, TypeOfTool<StepTool>>> = {
  http: HTTP_TOOL,
  mail: MAIL_TOOL,
}

export const toolTextsOf = (tool: StepTool): string[] => TYPES[tool.type].texts(tool)

export const withToolTexts = (tool: StepTool, change: (text: string) => string): StepTool =>
  TYPES[tool.type].withTexts(tool, change)

export const answerOfTool = (tool: StepTool): ToolAnswer => TYPES[tool.type].answer(tool)

export const isSafeToRepeat = (tool: StepTool): boolean => TYPES[tool.type].isSafeToRepeat(tool)

export const actsOfTool = ({ type }: StepTool): { does: string; goTo: string } => TYPES[type].acts

export const toolAsImported = (tool: StepTool): { tool: StepTool; lost: string } | undefined =>
  TYPES[tool.type].asImported?.(tool)

/** Whether a call has parts that nobody reads. */
export function hasSealedPart(tool: StepTool | null | undefined): boolean {
  return tool?.type === 'http' && [tool.url, ...tool.query, ...tool.headers].some((part) => isSealed(part))
}
