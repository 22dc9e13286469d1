import type { Labelled } from '../version-labels/version-labels.service.ts'
import { findVisible, openForChange } from './prompt-access.service.ts'
import type { PromptRecord } from './prompt-record.ts'
import { canChangePrompt } from './prompts.policy.ts'

/** Prompts, as labels point to their versions. */
export const labelledPrompts: Labelled<PromptRecord> = {
  kind: 'prompt',
  findVisible,
  openForChange,
  canEdit: canChangePrompt,
}
