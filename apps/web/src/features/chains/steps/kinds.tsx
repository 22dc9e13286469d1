import { type ChainStep, STEP_KINDS, type StepKind } from '@catenary/contracts'
import { type LucideIcon, MessageSquareTextIcon, OctagonXIcon, UserCheckIcon, WrenchIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import { AskBadges, AskQuestion } from './ask/ask-badges.tsx'
import { DEFAULT_KIND } from './step-input.ts'
import { StopBadge } from './stop/stop-badge.tsx'
import { ToolBadges, ToolLine, ToolView } from './tool/tool-views.tsx'

/** How a kind of step is shown; how it is filled in stands in `KIND_FORMS`, which pages load with their forms alone. */
interface KindOfStep {
  label: string
  /** What it does, where a new step's kind is chosen. */
  hint: string
  Icon: LucideIcon
  Badges?: ComponentType<KindProps>
  /** What a person is asked, on the card, the view and the preview. */
  Question?: ComponentType<KindProps>
  /** Where it takes its text to, on the card, as a preview says it itself. */
  Line?: ComponentType<KindProps>
  /** The whole of it, where its text alone does not say what it does. */
  View?: ComponentType<KindProps>
  /** Who takes their time while it runs; absent of one that calls nobody. */
  worker?: string
  /** Where a test gives its answer. */
  given?: GivenTexts
  /** What its text is called in a preview. */
  previewTitle: string
}

interface GivenTexts {
  label: string
  placeholder: string
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
    worker: 'the model',
  },
  tool: {
    label: 'Tool',
    hint: 'calls or emails',
    Icon: WrenchIcon,
    Badges: ToolBadges,
    Line: ToolLine,
    View: ToolView,
    previewTitle: 'What would go out',
    worker: 'the service',
    given: { label: 'What services would answer', placeholder: 'The answer of the service' },
  },
  ask: {
    label: 'Ask',
    hint: 'asks a person',
    Icon: UserCheckIcon,
    Badges: AskBadges,
    Question: AskQuestion,
    previewTitle: 'What people would see',
    given: {
      label: 'What people would answer',
      placeholder: 'A choice, such as approve, or the whole output as JSON',
    },
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

/** What a test of these steps says in place of people and services. */
export function givenAnswersOf(steps: readonly ChainStep[]) {
  return STEP_KINDS.flatMap((kind) => {
    const { given } = KINDS[kind]
    const names = steps.flatMap((step) =>
      (step.kind ?? DEFAULT_KIND) === kind && step.outputVariableName !== '' ? [step.outputVariableName] : [],
    )
    return given && names.length > 0 ? [{ ...given, names }] : []
  })
}

export function KindBadges({ step }: KindProps) {
  const { Badges } = kindOf(step)
  return Badges ? <Badges step={step} /> : null
}

export function KindLine({ step }: KindProps) {
  const { Line } = kindOf(step)
  return Line ? <Line step={step} /> : null
}

export function KindQuestion({ step }: KindProps) {
  const { Question } = kindOf(step)
  return Question ? <Question step={step} /> : null
}
