import type { ChainStep, StepKind } from '@catenary/contracts'
import { type LucideIcon, MessageSquareTextIcon, OctagonXIcon, UserCheckIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import { AskBadges, AskQuestion } from './ask/ask-badges.tsx'
import { DEFAULT_KIND } from './step-input.ts'
import { StopBadge } from './stop/stop-badge.tsx'

/** How a kind of step is shown; how it is filled in stands in `KIND_FORMS`, which pages load with their forms alone. */
interface KindOfStep {
  label: string
  /** What it does, where a new step's kind is chosen. */
  hint: string
  Icon: LucideIcon
  Badges?: ComponentType<KindProps>
  /** What a person is asked, on the card, the view and the preview. */
  Question?: ComponentType<KindProps>
  /** What its text is called in a preview. */
  previewTitle: string
}

interface KindProps {
  step: ChainStep
}

const KINDS: Readonly<Record<StepKind, KindOfStep>> = {
  prompt: {
    label: 'Prompt',
    hint: 'asks a model',
    Icon: MessageSquareTextIcon,
    previewTitle: 'What would be sent',
  },
  ask: {
    label: 'Ask',
    hint: 'asks a person',
    Icon: UserCheckIcon,
    Badges: AskBadges,
    Question: AskQuestion,
    previewTitle: 'What people would see',
  },
  stop: {
    label: 'Stop',
    hint: 'ends the run',
    Icon: OctagonXIcon,
    Badges: StopBadge,
    previewTitle: 'What the run would end with',
  },
}

export function kindOf({ kind = DEFAULT_KIND }: { kind?: StepKind | undefined }): KindOfStep {
  return KINDS[kind]
}

export function KindBadges({ step }: KindProps) {
  const { Badges } = kindOf(step)
  return Badges ? <Badges step={step} /> : null
}

export function KindQuestion({ step }: KindProps) {
  const { Question } = kindOf(step)
  return Question ? <Question step={step} /> : null
}
