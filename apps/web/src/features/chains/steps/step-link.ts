import type { ChainStep, PromptVersion } from '@catenary/contracts'
import type { ReactNode } from 'react'
import type { Release } from '../../shared/versions/version-choice.tsx'

type StepLink = Pick<ChainStep, 'promptLabel' | 'promptVersion'>

/** What the choice among a prompt's versions is given. */
export interface PromptLinkSlot {
  promptId: number
  value: Release
  hint: string
  error: string | undefined
  /** With the text of what was chosen, as far as the person may read it. */
  onChange: (release: Release, text: Promise<Pick<PromptVersion, 'title' | 'content'>>) => void
}

export type RenderPromptLink = (slot: PromptLinkSlot) => ReactNode

/** What a run of the step takes of its prompt, in a sentence. */
export function linkHint({ promptLabel, promptVersion }: StepLink, step: ChainStep | null): string {
  const whose = 'Title and content are the prompt’s'
  if (promptVersion !== null)
    return `${whose}; a run uses version ${promptVersion}, whatever the prompt becomes.`
  if (promptLabel === null) return `${whose}; a run uses its text at that time.`
  const moved = step && movedTo({ ...step, promptLabel })
  if (moved) return `${promptLabel} has moved since this step was saved: a run uses version ${moved} now.`
  return `${whose}; a run uses the version that ${promptLabel} is on at that time.`
}

/** The version of a linked label that is another one than the step was saved with. */
function movedTo(step: ChainStep): number | null {
  const { linkedPrompt, content, promptLabel } = step
  return promptLabel !== null && linkedPrompt && linkedPrompt.content !== content
    ? linkedPrompt.version
    : null
}
