import type { ToolAnswer } from './tool-parts.ts'

/** What of a type of tool holds wherever its steps are kept and read. As methods, which a table takes for a union of types. */
export interface TypeOfTool<Tool> {
  /** Its templates. */
  texts(tool: Tool): string[]
  withTexts(tool: Tool, change: (text: string) => string): Tool
  /** What its output is. */
  answer(tool: Tool): ToolAnswer
  /** What it does there, and where values would go. */
  acts: { does: string; goTo: string }
  /** As an import takes it, which names nobody here, and what that loses; absent: as it is. */
  asImported?(tool: Tool): { tool: Tool; lost: string } | undefined
  /** A call of which nobody knows whether it happened may be sent again. */
  isSafeToRepeat(tool: Tool): boolean
}
