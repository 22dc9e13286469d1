import type { Shareable } from '../shares/shares.service.ts'
import { findVisible, openForChange } from './prompt-access.service.ts'
import type { PromptRecord } from './prompt-record.ts'
import { canChangePrompt, canSharePrompt } from './prompts.policy.ts'
import { updatePromptSwitches } from './prompts.repository.ts'

/** Prompts as records that people share by name, at any level. */
export const shareablePrompts: Shareable<PromptRecord> = {
  kind: 'prompt',
  findVisible,
  openForChange,
  canEdit: canChangePrompt,
  canShare: canSharePrompt,
  touch: (tx, id) => updatePromptSwitches(tx, { id }),
}
