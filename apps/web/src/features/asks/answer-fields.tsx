import { ASK_REASON_MAX, ASK_TEXT_MAX, type Ask, type AskChoice, ask as askSchema } from '@catenary/contracts'
import { CheckIcon, PencilIcon } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod'
import { Time } from '../../components/time/time.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { conflictOf, errorReason } from '../../lib/errors.ts'
import { keepInputs, readInputs } from '../../lib/forms/session-inputs.ts'
import { toast, toastFailure } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { AskCalls } from './ask-calls.tsx'
import { AskText } from './ask-text.tsx'
import { choiceOf, endText } from './ask-texts.ts'
import { useAnswerAsk } from './asks.queries.ts'

const given = z.object({ text: z.string().nullable(), reason: z.string().nullable() })
type Given = z.output<typeof given>

export interface AnswerFieldsProps {
  ask: Ask
  onAnswered?: (() => void) | undefined
}

/** The text that is decided on, perhaps changed, and the answers to choose from. */
export function AnswerFields({ ask, onAnswered }: AnswerFieldsProps) {
  const { id, text, editable, choices } = ask
  const { mutate, isPending, variables } = useAnswerAsk(id)
  const [{ text: edited, reason }, change] = useGiven(id)
  const answer = (choice: AskChoice) => {
    const why = reason?.trim() ?? ''
    mutate(
      {
        decision: choice.id,
        ...(edited !== null && edited !== text && { text: edited }),
        ...(why !== '' && { reason: why }),
      },
      {
        onSuccess: () => {
          change(NOTHING)
          toast({ title: `Answered: ${choice.label}`, description: `${sentence(endText(choice))}.` })
          onAnswered?.()
        },
        onError: (error) => {
          const first = conflictOf({ error, schema: askSchema })
          if (first) toast({ title: 'It is already answered', description: firstText(first) })
          else toastFailure('Your answer was not saved', errorReason)(error)
        },
      },
    )
  }
  const isEdited = edited !== null && edited !== text
  return (
    <>
      {edited === null ? (
        <ShownText ask={ask} onEdit={editable ? () => change({ text, reason }) : undefined} />
      ) : (
        <div className="grid gap-2 px-4 pt-3.5 pb-2.5">
          <Field label="Text">
            <Textarea
              ref={focusOnMount}
              maxLength={ASK_TEXT_MAX}
              value={edited}
              onChange={({ target }) => change({ text: target.value, reason })}
              className="max-h-[60vh] min-h-32"
            />
          </Field>
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2.5 justify-self-start"
            onClick={() => change({ text: null, reason })}
          >
            {isEdited ? 'Undo my changes' : 'Leave it as it is'}
          </Button>
        </div>
      )}
      <AskCalls calls={ask.calls} />
      <div className="grid gap-3 border-t border-line px-4 py-3.5">
        {reason === null ? (
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2.5 justify-self-start"
            onClick={() => change({ text: edited, reason: '' })}
          >
            Add a reason
          </Button>
        ) : (
          <Field label="Reason" hint="Stays with the run, and later steps can use it.">
            <Textarea
              ref={focusOnMount}
              rows={2}
              maxLength={ASK_REASON_MAX}
              value={reason}
              onChange={({ target }) => change({ text: edited, reason: target.value })}
            />
          </Field>
        )}
        <Choices choices={choices} chosen={isPending ? variables.decision : null} onChoose={answer} />
        <DeadlineNote ask={ask} />
      </div>
    </>
  )
}

function ShownText({ ask: { title, text }, onEdit }: { ask: Ask; onEdit: (() => void) | undefined }) {
  if (text === '' && !onEdit) return null
  const edit = onEdit && (
    <Button variant="ghost" size="sm" className="-ml-2.5 text-accent-text" onClick={onEdit}>
      <PencilIcon />
      {text === '' ? 'Add a text' : 'Edit the text'}
    </Button>
  )
  return text === '' ? (
    <div className="px-4 pt-2 pb-2.5">{edit}</div>
  ) : (
    <AskText title={title} text={text} action={edit} />
  )
}

interface ChoicesProps {
  choices: readonly AskChoice[]
  /** Whose answer is on its way. */
  chosen: string | null
  onChoose: (choice: AskChoice) => void
}

/** On a phone: beside each other, with the usual one under the thumb, or one below the other. */
function Choices({ choices, chosen, onChoose }: ChoicesProps) {
  const isPhone = useMediaQuery(PHONE)
  const isBeside = choices.length === 2 && choices.every(({ label }) => label.length <= BESIDE_LENGTH)
  const usual = choices.find(({ ends }) => ends !== 'failed')
  const shown = isPhone && isBeside ? choices.toReversed() : choices
  return (
    <fieldset
      aria-label="Your answer"
      className={cn('flex min-w-0 gap-2', isPhone && !isBeside ? 'flex-col' : 'flex-wrap')}
    >
      {shown.map((choice) => (
        <Button
          key={choice.id}
          variant={choice === usual ? 'primary' : 'secondary'}
          disabled={chosen !== null}
          pending={chosen === choice.id}
          aria-description={sentence(endText(choice))}
          onClick={() => onChoose(choice)}
          className={cn(
            'h-auto min-h-8 max-w-full min-w-0 shrink py-1 whitespace-normal',
            choice.ends === 'failed' && 'text-danger',
            isPhone && 'min-h-12 text-base',
            isPhone && isBeside && (choice === usual ? 'flex-[2]' : 'flex-1'),
          )}
        >
          {choice === usual && chosen !== choice.id && <CheckIcon />}
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {choice.label}
          </span>
        </Button>
      ))}
    </fieldset>
  )
}

/** Of labels that have room beside each other on a phone. */
const BESIDE_LENGTH = 14

export function DeadlineNote({ ask }: { ask: Pick<Ask, 'choices' | 'onDeadline' | 'deadline'> }) {
  const choice = choiceOf(ask, ask.onDeadline)
  if (ask.onDeadline === '') {
    return (
      <p className="text-sm text-text-3">
        Without an answer by <Time time={ask.deadline} />, the run fails.
      </p>
    )
  }
  return (
    <p className="text-sm text-text-3 wrap-anywhere">
      Without an answer by <Time time={ask.deadline} />, “<bdi>{choice?.label ?? ask.onDeadline}</bdi>” holds
      {choice && `: ${endText(choice)}`}.
    </p>
  )
}

/** What is typed stays while the page is left and come back to. */
function useGiven(id: number): readonly [Given, (next: Given) => void] {
  const key = `ask.${id}`
  const [value, setValue] = useState<Given>(() => readInputs({ key, schema: given }) ?? NOTHING)
  const change = (next: Given) => {
    setValue(next)
    keepInputs({ key, inputs: next.text === null && next.reason === null ? null : next })
  }
  return [value, change]
}

function firstText(first: Ask): string {
  const label = choiceOf(first, first.decision)?.label ?? first.decision
  if (first.status === 'withdrawn') return 'Its run no longer waits for an answer.'
  return first.by === null ? `“${label}” holds.` : `${first.by} answered first: ${label}.`
}

const NOTHING: Given = { text: null, reason: null }
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function focusOnMount(field: HTMLTextAreaElement | null) {
  field?.focus()
}
