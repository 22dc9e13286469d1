import type { AskChoice } from '@catenary/contracts'
import { plainExcerpt } from '../../../lib/text/plain-markdown.ts'
import { GivenAnswerLine, givenAnswerOf } from '../../asks/given-answer.tsx'
import { AnsweredBy } from '../../runs/answered-by.tsx'
import { formatWaited } from '../../runs/format-wait.ts'
import { useStepText } from './chain-step-text.tsx'
import { skippedText } from './skipped-text.ts'
import type { StepRun } from './use-step-runs.ts'

const EXCERPT_LENGTH = 400

/** What a step gave, or why it gave nothing. */
export function StepExcerpt({
  run: { run, running, state, isOpen },
  choices,
}: {
  run: StepRun
  /** Of a step that asks. */
  choices: readonly AskChoice[] | undefined
}) {
  const written = useStepText({ texts: running.texts, position: state.position })
  const step = run.details?.steps[state.position]
  if (state.status === 'skipped') {
    return <p className="px-3.5 pb-3 text-sm text-text-3 wrap-anywhere">{skippedText(state, step)}</p>
  }
  if (state.status !== 'completed') return null
  const answer = choices && givenAnswerOf(step?.outputVariableValue)
  if (answer) {
    return (
      <p className="mx-3.5 mb-3 line-clamp-3 border-s-2 border-ok ps-2.5 text-sm text-text-2 wrap-anywhere">
        <GivenAnswerLine answer={answer} choices={choices} />
      </p>
    )
  }
  const waited = formatWaited(state)
  const text = plainExcerpt({ text: step?.aiResponse ?? written, max: EXCERPT_LENGTH })
  return (
    <>
      {step && <AnsweredBy run={step} className="px-3.5 pb-2" />}
      {waited !== '' && <p className="px-3.5 pb-2 text-xs text-text-3 first-letter:uppercase">{waited}</p>}
      {!isOpen && text !== '' && (
        <p
          dir="auto"
          className="mx-3.5 mb-3 line-clamp-2 border-s-2 border-ok ps-2.5 text-sm text-text-2 wrap-anywhere"
        >
          {text}
        </p>
      )}
    </>
  )
}
