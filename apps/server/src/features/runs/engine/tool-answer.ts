import type { ToolAnswer } from '@catenary/contracts'
import { isJson } from '@catenary/domain'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { createAnswerChecks } from '../../../platform/grading/answer-checks.ts'

const answerChecks = onePerApp(createAnswerChecks)

interface Answered {
  answer: ToolAnswer
  text: string
  /** Whose run it is. */
  owner: number
  signal: AbortSignal
}

/** What a service answered as the output of a step; or what is wrong with it, to follow its name. */
export async function readToolAnswer(
  ctx: Context,
  { answer: { as, schema }, text, ...asked }: Answered,
): Promise<{ text: string } | { problem: string }> {
  if (as === 'text') return { text }
  if (!isJson(text)) return { problem: 'is not JSON' }
  if (schema === undefined) return { text: text.trim() }
  const { errors } = await answerChecks(ctx)(asked, { text, schema })
  const [first] = errors
  return first
    ? { problem: `does not match its schema: ${first.path} ${first.message}` }
    : { text: text.trim() }
}
