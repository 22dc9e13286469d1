import {
  ASSERT_SET,
  type Assertion,
  type AssertionResult,
  type CaseGrade,
  type GradedAnswer,
  type PlainAssertion,
} from '@catenary/contracts'
import { renderTemplate, TemplateTooLongError } from '../template/render.ts'
import { isJudged, type Outcome, toOutcome } from './graders.ts'
import type { GradingTask } from './grading-task.ts'
import { type JudgedCase, JudgeError, type JudgeRequest, rubricRequest } from './judge-request.ts'
import { addResult, type Score, scoreOf, startScore } from './score.ts'

export interface GradedCase extends JudgedCase {
  assertions: readonly Assertion[]
  /** From which score on it passes; null: when each assertion does. */
  threshold: number | null
  notRun: number
}

export interface GradingTools {
  gradeApart: (task: GradingTask) => Promise<Outcome>
  /** A model's reply, or a `JudgeError`; null: no model is asked, and model-graded assertions are not run. */
  judge: ((request: JudgeRequest) => Promise<string>) | null
}

const NOT_JUDGED = 'A model grades this in an evaluation'
const COMPARED = 'The best is chosen once all targets have answered'

/** Grades a case with an answer, counting as promptfoo counts; `select-best` is left to `applyBest`. */
export async function gradeAnswer(
  graded: GradedCase,
  answer: GradedAnswer,
  tools: GradingTools,
): Promise<CaseGrade> {
  const score = startScore()
  const results: AssertionResult[] = []
  for (const assertion of graded.assertions) {
    const result =
      assertion.type === ASSERT_SET ? await gradeSet(assertion) : await gradePlain(assertion, score)
    results.push(result)
  }
  const { passed, ...total } = scoreOf(score, graded.threshold)
  const isNothing =
    results.every((result) => result.passed === null) && (results.length > 0 || graded.notRun > 0)
  if (isNothing) {
    return {
      ...total,
      verdict: 'not-run',
      score: 0,
      reason: results[0]?.reason ?? NOTHING_RAN,
      results,
      notRun: graded.notRun,
    }
  }
  return { ...total, verdict: passed ? 'passed' : 'failed', results, notRun: graded.notRun }

  async function gradeSet(set: Extract<Assertion, { type: typeof ASSERT_SET }>): Promise<AssertionResult> {
    const own = startScore()
    const inner: AssertionResult[] = []
    for (const assertion of set.assert) inner.push(await gradePlain(assertion, own))
    const { metrics: _, ...outcome } = scoreOf(own, set.threshold ?? null)
    const isRun = inner.some((result) => result.passed !== null)
    const result = toResult(
      tryToRender(set).rendered,
      isRun ? outcome : { ...outcome, passed: null, reason: inner[0]?.reason ?? NOTHING_RAN },
    )
    if (isRun) addResult(score, { ...result, passed: outcome.passed }, own)
    return { ...result, results: inner }
  }

  async function gradePlain(assertion: PlainAssertion, into: Score): Promise<AssertionResult> {
    const { rendered, problem } = tryToRender(assertion)
    const outcome = problem ?? (await gradeOne(rendered))
    const isWeightless = rendered.weight === 0 && outcome.passed !== null
    const result = toResult(rendered, isWeightless ? { ...outcome, passed: true } : outcome)
    if (result.passed !== null) addResult(into, { ...result, passed: result.passed })
    return result
  }

  function tryToRender<Each extends Assertion>(assertion: Each): { rendered: Each; problem?: Outcome } {
    try {
      return { rendered: renderAssertion(assertion, graded.values) }
    } catch (error) {
      if (!(error instanceof TemplateTooLongError)) throw error
      return { rendered: { ...assertion, metric: undefined }, problem: toOutcome(false, error.message) }
    }
  }

  async function gradeOne(assertion: PlainAssertion): Promise<Outcome | NotRun> {
    if (!isJudged(assertion)) return tools.gradeApart({ kind: 'answer', assertion, answer })
    if (assertion.type === 'select-best') return { passed: null, score: 0, reason: COMPARED }
    if (tools.judge === null) return { passed: null, score: 0, reason: NOT_JUDGED }
    try {
      const reply = await tools.judge(rubricRequest(assertion, graded, answer))
      return await tools.gradeApart({ kind: 'reply', assertion, reply })
    } catch (error) {
      if (error instanceof JudgeError) return toOutcome(false, error.message)
      throw error
    }
  }
}

const NOTHING_RAN = 'None of it can run here'

type NotRun = Omit<Outcome, 'passed'> & { passed: null }

function toResult(
  { type, weight = 1, metric = '' }: Pick<Assertion, 'type' | 'weight' | 'metric'>,
  { passed, score, reason }: Outcome | NotRun,
): AssertionResult {
  return { type, passed, score, reason, weight, metric: metric === '' ? null : metric }
}

/** The grade once the best of all answers is chosen: the others fail with 0, as in promptfoo. */
export function applyBest(grade: CaseGrade, best: Outcome): CaseGrade {
  const results = grade.results.map((result) =>
    result.type === 'select-best' && result.passed === null ? { ...result, ...best } : result,
  )
  if (!best.passed) return { ...grade, verdict: 'failed', score: best.score, reason: best.reason, results }
  // With nothing else in the case promptfoo keeps a score of 0 for the best, too.
  if (grade.verdict === 'not-run')
    return { ...grade, verdict: 'passed', score: best.score, reason: best.reason, results }
  return { ...grade, results }
}

const RENDERED_MAX = 1_000_000
const METRIC_RENDERED_MAX = 1_000

/** With the case's values; objects stay as they are, as in promptfoo. Throws `TemplateTooLongError`. */
function renderAssertion<Each extends Assertion>(
  assertion: Each,
  values: Readonly<Record<string, string>>,
): Each {
  let left = RENDERED_MAX
  const render = (source: string) => {
    const { text } = renderTemplate({ source, variables: values, maxLength: left })
    left -= text.length
    return text
  }
  const renderValue = (value: unknown): unknown => {
    if (typeof value === 'string') return render(value)
    return Array.isArray(value)
      ? value.map((each) => (typeof each === 'string' ? render(each) : each))
      : value
  }
  const rendered: Each = { ...assertion }
  if ('value' in rendered) rendered.value = renderValue(rendered.value) as typeof rendered.value
  if (rendered.metric !== undefined) {
    const { metric: source } = rendered
    rendered.metric = renderTemplate({ source, variables: values, maxLength: METRIC_RENDERED_MAX }).text
  }
  return rendered
}
