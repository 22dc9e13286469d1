import type { AskChoice } from '@catenary/contracts'
import * as z from 'zod'
import { useSession } from '../../lib/session/session.tsx'

const givenAnswer = z.object({ decision: z.string(), text: z.string(), reason: z.string(), by: z.string() })
export type GivenAnswer = z.output<typeof givenAnswer>

/** What a step that asked people passed on; null: it was no such step. */
export function givenAnswerOf(output: string | null | undefined): GivenAnswer | null {
  if (!output) return null
  try {
    return givenAnswer.safeParse(JSON.parse(output)).data ?? null
  } catch {
    return null
  }
}

export interface GivenAnswerLineProps {
  answer: GivenAnswer
  choices?: readonly AskChoice[] | undefined
}

/** ‘Approve by ana. Reads well.’ */
export function GivenAnswerLine({ answer: { decision, reason, by }, choices = [] }: GivenAnswerLineProps) {
  const { user } = useSession()
  const label = choices.find(({ id }) => id === decision)?.label ?? decision
  const who = by === user?.username ? 'you' : by
  return (
    <>
      <strong className="font-semibold text-text">{label}</strong>
      {by === '' ? (
        ', as nobody answered'
      ) : (
        <>
          {' '}
          by <bdi>{who}</bdi>
        </>
      )}
      {reason !== '' && (
        <>
          : <bdi>{reason}</bdi>
        </>
      )}
    </>
  )
}
