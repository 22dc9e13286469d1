import { type Ask, ask as askSchema, UNSURE_ANSWER_MAX } from '@catenary/contracts'
import { CheckIcon, CircleHelpIcon, RotateCwIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { ApiError, conflictOf, errorReason } from '../../lib/errors.ts'
import { toast, toastFailure } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { DeadlineNote } from './answer-fields.tsx'
import { AskText } from './ask-text.tsx'
import { useAnswerUnsure } from './asks.queries.ts'

export interface UnsureFieldsProps {
  ask: Ask
  onAnswered?: (() => void) | undefined
}

/** What was sent, and whether it happened: its runner looks at the service and says so. */
export function UnsureFields({ ask, onAnswered }: UnsureFieldsProps) {
  const { title, text, unsure } = ask
  const { mutate, isPending, variables } = useAnswerUnsure(ask)
  const [answer, setAnswer] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  const isPhone = useMediaQuery(PHONE)
  const say = (happened: boolean) => {
    setProblem(undefined)
    mutate(
      { happened, ...(happened && answer !== null && answer !== '' && { answer }) },
      {
        onSuccess: () => {
          toast({ title: happened ? 'The run goes on' : 'The call is sent again' })
          onAnswered?.()
        },
        onError: (error) => {
          if (conflictOf({ error, schema: askSchema })) toast({ title: 'It is already answered' })
          else if (error instanceof ApiError && error.status === 400 && answer !== null)
            setProblem(errorReason(error))
          else toastFailure('Your answer was not saved', errorReason)(error)
        },
      },
    )
  }
  const isSaying = (happened: boolean) => isPending && variables.happened === happened
  const button = cn('h-auto min-h-8', isPhone && 'min-h-12 flex-1 text-base')
  return (
    <>
      <p className="flex gap-2 border-b border-line px-4 py-3 text-sm">
        <CircleHelpIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
        <span className="min-w-0 wrap-anywhere">
          {unsure?.why}. Nobody knows whether the call happened: look at the service before you say so.
        </span>
      </p>
      {text !== '' && <AskText title={title} text={text} />}
      <div className="grid gap-3 border-t border-line px-4 py-3.5">
        {answer === null ? (
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2.5 justify-self-start"
            onClick={() => setAnswer('')}
          >
            Add the service’s answer
          </Button>
        ) : (
          <Field
            label="Answer of the service"
            hint="The output of the step, if the call happened. Empty: later steps get nothing from it."
            error={problem}
          >
            <Textarea
              ref={focusOnMount}
              rows={3}
              maxLength={UNSURE_ANSWER_MAX}
              value={answer}
              onChange={({ target }) => setAnswer(target.value)}
              className="max-h-[40vh]"
            />
          </Field>
        )}
        <fieldset aria-label="Did the call happen?" className="flex min-w-0 flex-wrap gap-2">
          <Button
            disabled={isPending}
            pending={isSaying(true)}
            aria-description="The run goes on."
            onClick={() => say(true)}
            className={button}
          >
            {!isSaying(true) && <CheckIcon />}
            It happened
          </Button>
          <Button
            variant="secondary"
            disabled={isPending}
            pending={isSaying(false)}
            aria-description="The call goes out once more, with the same Idempotency-Key."
            onClick={() => say(false)}
            className={button}
          >
            {!isSaying(false) && <RotateCwIcon />}
            Send it again
          </Button>
        </fieldset>
        <DeadlineNote ask={ask} />
      </div>
    </>
  )
}

function focusOnMount(field: HTMLTextAreaElement | null) {
  field?.focus()
}
