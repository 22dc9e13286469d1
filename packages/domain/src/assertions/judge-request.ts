import { type AssertionOf, type GradedAnswer, type JudgeMessage, judgeMessages } from '@catenary/contracts'
import type { JudgedAssertion } from './graders.ts'
import { JUDGE_PROMPTS } from './judge-prompts.ts'

/** What is sent to the model that judges. */
export interface JudgeRequest {
  messages: JudgeMessage[]
}

/** What a case has beside its assertions that a judge is told of. */
export interface JudgedCase {
  values: Readonly<Record<string, string>>
  /** The prompt that was sent. */
  input: string
}

export function rubricRequest(
  assertion: AssertionOf<'llm-rubric' | 'factuality'>,
  { values, input }: JudgedCase,
  answer: GradedAnswer,
): JudgeRequest {
  const output = asTemplateValue(answer.text)
  const asked: Record<string, string> =
    assertion.type === 'llm-rubric' || assertion.type === 'not-llm-rubric'
      ? { output, rubric: rubricText(assertion.value) }
      : { input, ideal: String(assertion.value), completion: output }
  return fill(promptOf(assertion, assertion.type.endsWith('factuality') ? 'factuality' : 'llm-rubric'), {
    values: { ...values, ...asked },
  })
}

/** Asks which of the answers is the best. */
export function bestRequest(
  assertion: AssertionOf<'select-best'>,
  { values, outputs }: { values: Readonly<Record<string, string>>; outputs: readonly string[] },
): JudgeRequest {
  return fill(promptOf(assertion, 'select-best'), {
    values: { ...values, criteria: assertion.value },
    outputs: outputs.map(asTemplateValue),
  })
}

function promptOf({ rubricPrompt }: JudgedAssertion, kind: keyof typeof JUDGE_PROMPTS): string {
  return rubricPrompt || JUDGE_PROMPTS[kind]
}

function rubricText(value: AssertionOf<'llm-rubric'>['value']): string {
  return typeof value === 'object' ? JSON.stringify(value) : (value ?? '')
}

interface Filling {
  values: Readonly<Record<string, string>>
  outputs?: readonly string[]
}

/** The messages of a prompt that is JSON, each text filled in apart; any other prompt is one message. */
function fill(prompt: string, filling: Filling): JudgeRequest {
  const json = parseJson(prompt)
  if (json === undefined) return oneMessage(fillText(prompt, filling))
  const filled = fillAll(json, filling)
  const read = judgeMessages.safeParse(filled)
  return read.success ? { messages: read.data } : oneMessage(JSON.stringify(filled))
}

function oneMessage(content: string): JudgeRequest {
  return { messages: [{ role: 'user', content }] }
}

function fillAll(json: unknown, filling: Filling): unknown {
  if (typeof json === 'string') return fillText(json, filling)
  if (Array.isArray(json)) return json.map((each) => fillAll(each, filling))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, each]) => [key, fillAll(each, filling)]))
}

const EACH_OUTPUT = /\{%-?\s*for output in outputs\s*-?%\}([\s\S]*?)\{%-?\s*endfor\s*-?%\}/g
const PLACE = /\{\{-?\s*([A-Za-z0-9_.]+)\s*-?\}\}/g

/** What promptfoo's templates say beyond this is refused where they are read. */
function fillText(text: string, { values, outputs = [] }: Filling): string {
  const parts: string[] = []
  let rest = 0
  const place = (piece: string, more: Readonly<Record<string, string>> = {}) =>
    piece.replace(PLACE, (_, name: string) => findValue(more, name) ?? findValue(values, name) ?? '')
  for (const loop of text.matchAll(EACH_OUTPUT)) {
    parts.push(place(text.slice(rest, loop.index)))
    for (const [index, output] of outputs.entries()) {
      parts.push(
        place(loop[1] ?? '', { output, 'loop.index0': String(index), 'loop.index': String(index + 1) }),
      )
    }
    rest = loop.index + loop[0].length
  }
  return [...parts, place(text.slice(rest))].join('')
}

function findValue(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Whether a judge's prompt asks for no more than is filled in here. */
export function canFill(prompt: string): boolean {
  return !/\{[{%#]/.test(prompt.replace(EACH_OUTPUT, (_, inner: string) => inner).replace(PLACE, ''))
}

/** An answer that is JSON is told as JSON is written. */
function asTemplateValue(text: string): string {
  const json = parseJson(text)
  if (json === undefined) return text
  if (Array.isArray(json)) return json.map(inTemplate).join(',')
  return inTemplate(json)
}

function inTemplate(json: unknown): string {
  if (json === null) return ''
  return typeof json === 'object' ? JSON.stringify(json) : String(json)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
