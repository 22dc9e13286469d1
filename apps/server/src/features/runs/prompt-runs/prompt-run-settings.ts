import type { AskedSettings, PromptSettings, RunPromptRequest } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { promptSettingsOf } from '../../../model-settings.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { requireAble } from '../engine/call-step-model.ts'
import type { AnswerLimits } from '../engine/planned-step.ts'
import type { PromptRunner } from './prompt-runner.service.ts'

/** How a run is run: as the version says, or as the request says in its place; null takes away. */
export function settingsFor({
  own,
  request,
}: {
  own: PromptSettings | null
  request: RunPromptRequest
}): PromptSettings {
  const { systemPrompt, messages, effort, temperature, maxTokens, stop } = request
  const chosen = { systemPrompt, messages, effort, temperature, maxTokens, stop }
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
  return promptSettingsOf({ ...own, ...given }) ?? {}
}

/** What the caller asks of the answer, within what the prompt allows. */
export function limitsOf(
  asked: AskedSettings | null,
  { maxTokens = Infinity, stop }: AnswerLimits = {},
): AnswerLimits {
  const most = Math.min(maxTokens, asked?.maxTokens ?? Infinity)
  return { ...(stop && { stop }), ...(most !== Infinity && { maxTokens: most }) }
}

/** Throws `invalid` for what the model, or a fallback, can't do. */
export function refuseUnable(
  { promptRunner: { describe } }: { promptRunner: Pick<PromptRunner, 'describe'> },
  wanted: Omit<Parameters<typeof requireAble>[0], 'models'>,
): void {
  try {
    requireAble({ models: { describe }, ...wanted })
  } catch (error) {
    if (error instanceof ModelError) throw new AppError('invalid', error.message, { details: error.code })
    throw error
  }
}
