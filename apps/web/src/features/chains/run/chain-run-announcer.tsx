import type { Chain, StepStatus } from '@catenary/contracts'
import { cutText, stepTitle } from '@catenary/domain'
import { waitedText } from '../../asks/waiting-line.tsx'
import { AnswerAnnouncer } from '../../runs/answer-announcer.tsx'
import { limitName } from '../../runs/format-wait.ts'
import { type ChainRun, cutStepsOf } from './chain-run.ts'
import type { ChainRunTexts } from './chain-run-texts.ts'
import { failedAfter } from './chain-step-status.tsx'
import { useStepText } from './chain-step-text.tsx'

const READ_LENGTH = 20_000

export function ChainRunAnnouncer({
  run,
  texts,
  steps,
}: {
  run: ChainRun | null
  texts: ChainRunTexts
  steps: Chain['steps']
}) {
  const current = run?.steps.find(({ status }) => status === 'running')
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {run && sentenceOf({ run, steps })}
      </p>
      {current && <StepAnnouncer key={current.position} texts={texts} position={current.position} />}
    </>
  )
}

function StepAnnouncer({ texts, position }: { texts: ChainRunTexts; position: number }) {
  const text = cutText(useStepText({ texts, position }), READ_LENGTH)
  return <AnswerAnnouncer text={text} isWriting isAnnounced />
}

const ANNOUNCED: ReadonlySet<StepStatus> = new Set(['running', 'asking', 'unsure', 'failed'])

function sentenceOf({ run, steps }: { run: ChainRun; steps: Chain['steps'] }): string {
  const step = run.steps.find(({ status }) => ANNOUNCED.has(status))
  const count = run.steps.length
  if (run.status === 'completed') {
    return `Execution ${run.id} completed${cutStepsOf(run.steps) > 0 ? ', but an answer was cut off' : ''}.`
  }
  if (run.status === 'cancelled') return `Execution ${run.id} was stopped.`
  if (!step) return ''
  const name = stepTitle({
    title: run.details?.steps[step.position]?.title || steps[step.position]?.title || '',
  })
  const place = `Step ${step.position + 1} of ${count}, ${name},`
  if (step.status === 'asking') {
    return `${place} is waiting for ${run.waitingFor ? waitedText(run.waitingFor) : 'an answer'}.`
  }
  if (step.status === 'unsure') return `${place} waits, as nobody knows whether its call happened.`
  if (step.status === 'failed') return `${place} ${failedAfter(step)}. ${step.error ?? ''}`
  if (step.waitsFor) return `${place} is waiting for ${limitName(step.waitsFor)}.`
  return step.retries > 0 ? `${place} is being retried.` : `${place} is running.`
}
