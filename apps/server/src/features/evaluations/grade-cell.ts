import { ASSERT_SET, type AssertionOf, type CaseGrade } from '@catenary/contracts'
import { nanosToUsd, sumKnown } from '@catenary/domain'
import {
  applyBest,
  bestRequest,
  gradeAnswer,
  JudgeError,
  type JudgeRequest,
  readBest,
} from '@catenary/domain/assertions'
import type { Context } from '../../platform/context.ts'
import { openGrading } from '../../platform/grading/grading.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ModelMessage, ModelUsage } from '../../platform/models/model-types.ts'
import { limitedModels } from '../spending/spending.ts'
import type { CellEnd, CellRow, CellRun } from './evaluation-cells.sql.ts'
import type { FrozenCase } from './frozen-cases.ts'

/** A judge writes a sentence; some models think aloud before it. */
const JUDGE_TOKENS_MAX = 2_000

type Graded = Pick<CellEnd, 'status' | 'grade' | 'reason' | keyof JudgeUsage>

type JudgeUsage = Pick<CellEnd, 'judgeCostNanos' | 'judgeSavedNanos'>

interface Asked {
  frozen: FrozenCase
  judgeModel: string | null
  userId: number
  signal: AbortSignal
}

export interface ComparedAnswer {
  cell: CellRow
  text: string
}

export async function gradeCell(ctx: Context, { run, ...asked }: Asked & { run: CellRun }): Promise<Graded> {
  const { frozen } = asked
  const judge = createJudge(ctx, asked)
  const answer = {
    text: run.output ?? '',
    latencyMs: run.durationMs,
    costUsd: nanosToUsd(run.costNanos),
    finishReason: run.finishReason,
  }
  const grade = await gradeAnswer({ ...frozen, input: run.input }, answer, {
    gradeApart: openGrading(ctx, { owner: asked.userId, signal: asked.signal }),
    judge: judge.ask,
  })
  return { ...toEnd(grade, comparisonOf(frozen) !== undefined), ...judge.usage() }
}

/** Has the judge choose among the answers of a case; what that costs they share. */
export async function compareCells(
  ctx: Context,
  { answers, ...asked }: Asked & { answers: ComparedAnswer[] },
) {
  const { frozen } = asked
  const judge = createJudge(ctx, asked)
  const comparison = comparisonOf(frozen)
  if (comparison === undefined || judge.ask === null) throw new Error('Nothing is compared in this case')
  const outputs = answers.map(({ text }) => text)
  const { ask } = judge
  const choose = async () => ask(bestRequest(comparison, { values: frozen.values, outputs }))
  const reply = await choose().catch((error: unknown) => {
    if (error instanceof JudgeError) return error.message
    throw error
  })
  const chosen = readBest(comparison, { reply, count: answers.length })
  const shared = judge.usage()
  return answers.map(({ cell }, index) => {
    const best = chosen[index]
    if (cell.grade === null || best === undefined) throw new Error('An answered cell has a grade')
    const sum = (name: keyof JudgeUsage) =>
      sumKnown([cell[name], shareOf(shared[name], { index, count: answers.length })])
    const usage = { judgeCostNanos: sum('judgeCostNanos'), judgeSavedNanos: sum('judgeSavedNanos') }
    return { cell, end: { ...toEnd(applyBest(cell.grade, best), false), ...usage } }
  })
}

/** The person who started the evaluation pays for the judge. */
function createJudge(ctx: Context, { judgeModel, userId, signal }: Asked) {
  const answers: ModelUsage[] = []
  const ask = async ({ messages }: JudgeRequest): Promise<string> => {
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
    const turns = messages.flatMap(({ role, content }): ModelMessage[] =>
      role === 'system' ? [] : [{ role, content }],
    )
    try {
      const answer = await limitedModels(ctx).generate({
        alias: judgeModel ?? '',
        userId,
        signal,
        messages: turns,
        ...(system.length > 0 && { system: system.join('\n\n') }),
        temperature: 0,
        maxTokens: JUDGE_TOKENS_MAX,
      })
      answers.push(answer)
      return answer.text
    } catch (error) {
      if (error instanceof ModelError && error.used !== undefined) answers.push(error.used)
      // Neither is a fault of the answer: the cell is graded once there is money, or by the worker that takes it over.
      const isFault = error instanceof ModelError && error.code !== 'budget_spent' && error.code !== 'aborted'
      throw isFault ? new JudgeError(`The judge did not answer: ${error.message}`) : error
    }
  }
  const usage = (): JudgeUsage => ({
    judgeCostNanos: sumKnown(answers.map(({ costNanos }) => costNanos)),
    judgeSavedNanos: sumKnown(answers.map(({ savedNanos }) => savedNanos)),
  })
  return { ask: judgeModel === null ? null : ask, usage }
}

function comparisonOf({ assertions }: FrozenCase): AssertionOf<'select-best'> | undefined {
  return assertions.find(
    (each): each is AssertionOf<'select-best'> => each.type !== ASSERT_SET && each.type === 'select-best',
  )
}

function toEnd(found: CaseGrade, isCompared: boolean): Omit<Graded, keyof JudgeUsage> {
  const grade = toStorable(found)
  const reason = grade.verdict === 'passed' ? null : grade.reason
  return { status: isCompared ? 'answered' : grade.verdict, grade, reason }
}

/** Reasons quote answers and judges, which may write by escapes what no database keeps. */
function toStorable(grade: CaseGrade): CaseGrade {
  return JSON.parse(JSON.stringify(grade), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )
}

function shareOf(sum: number | null, { index, count }: { index: number; count: number }): number | null {
  if (sum === null) return null
  const part = Math.floor(sum / count)
  return index === 0 ? sum - part * (count - 1) : part
}
