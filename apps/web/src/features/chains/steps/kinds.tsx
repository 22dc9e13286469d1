import type { ChainStep, StepKind } from '@catenary/contracts'
import { askKind } from './ask/ask-kind.ts'
import type { KindOfStep } from './kind-of-step.ts'
import { promptKind } from './prompt/prompt-kind.ts'
import { DEFAULT_KIND } from './step-input.ts'
import { stopKind } from './stop/stop-kind.tsx'

/** Each kind of step once, in the order in which conflicts and versions name what is a kind's own. */
export const KINDS = {
  prompt: promptKind,
  stop: stopKind,
  ask: askKind,
} satisfies Record<StepKind, KindOfStep>

/** The same to be gone through. */
export const EACH_KIND: readonly KindOfStep[] = Object.values(KINDS)

export function kindOf({ kind = DEFAULT_KIND }: { kind?: StepKind | undefined }): KindOfStep {
  return KINDS[kind]
}

interface KindProps {
  step: ChainStep
}

export function KindBadges({ step }: KindProps) {
  const { Badges } = kindOf(step)
  return Badges ? <Badges step={step} /> : null
}

export function KindQuestion({ step }: KindProps) {
  const { Question } = kindOf(step)
  return Question ? <Question step={step} /> : null
}
