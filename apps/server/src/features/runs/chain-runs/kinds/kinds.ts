import type { StepKind } from '@catenary/contracts'
import { ASK } from './ask.ts'
import type { KindInRun } from './kind-in-run.ts'
import { PROMPT } from './prompt.ts'
import { STOP } from './stop.ts'
import { TOOL } from './tool/tool.ts'

export const KIND_IN_RUN: Readonly<Record<StepKind, KindInRun>> = {
  prompt: PROMPT,
  tool: TOOL,
  ask: ASK,
  stop: STOP,
}
