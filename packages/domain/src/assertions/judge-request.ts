import { type AssertionOf, type GradedAnswer, type JudgeMessage, judgeMessages } from '@catenary/contracts'
import { readJsonText, sayJson } from '../json/json-at.ts'
import type { JudgedAssertion } from './graders.ts'
import { JUDGE_PROMPTS } from './judge-prompts.ts'

export class JudgeError extends Error {}

const REQUEST_MAX = 5_000_000

export interface JudgeRequest {
  messages: JudgeMessage[]
}

export interface JudgedCase {
  values: Readonly<Record<string, string>>
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

interface Filled {
  values: Readonly<Record<string, string>>
  outputs?: readonly string[]
}

interface Filling extends Filled {
  /** Returns the text as long as all of them together fit. */
  spend: (text: string) => string
}

function createSpend(): Filling['spend'] {
  let left = REQUEST_MAX
  return (text) => {
    left -= text.length
    if (left < 0) {
      const most = REQUEST_MAX.toLocaleString('en')
      throw new JudgeError(`The judge can’t be asked: it would have to read more than ${most} characters`)
    }
    return text
  }
}

/** The messages of a prompt that is JSON, each text filled in apart; any other prompt is one message. */
function fill(prompt: string, filled: Filled): JudgeRequest {
  try {
    return fillAny(prompt, { ...filled, spend: createSpend() })
  } catch (error) {
    if (error instanceof RangeError) throw new JudgeError('The judge’s prompt is nested too deep')
    throw error
  }
}

function fillAny(prompt: string, filling: Filling): JudgeRequest {
  const json = parseJson(prompt)
  if (json === undefined) return oneMessage(fillText(prompt, filling))
  const all = fillAll(json, filling)
  const read = judgeMessages.safeParse(all)
  return read.success ? { messages: read.data } : oneMessage(JSON.stringify(all))
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

const LOOP_MARK = /\{%-?\s*(for output in outputs|endfor)\s*-?%\}/g
const PLACE = /\{\{-?\s*([A-Za-z0-9_.]+)\s*-?\}\}/g

/** The pieces of a template in order: what stands once, and what stands for each output. Looks at each character once. */
function piecesOf(text: string): { text: string; isLoop: boolean }[] {
  const pieces: { text: string; isLoop: boolean }[] = []
  let rest = 0
  let loop: { start: number; inner: number } | undefined
  for (const mark of text.matchAll(LOOP_MARK)) {
    const end = mark.index + mark[0].length
    if (mark[1] !== 'endfor') loop ??= { start: mark.index, inner: end }
    else if (loop !== undefined) {
      pieces.push({ text: text.slice(rest, loop.start), isLoop: false })
      pieces.push({ text: text.slice(loop.inner, mark.index), isLoop: true })
      rest = end
      loop = undefined
    }
  }
  return [...pieces, { text: text.slice(rest), isLoop: false }]
}

/** Anything more that promptfoo's templates can say is refused where they are read. */
function fillText(text: string, { values, outputs = [], spend }: Filling): string {
  const place = (piece: string, more: Readonly<Record<string, string>> = {}) => {
    spend(piece)
    return piece.replace(PLACE, (_, name: string) =>
      spend(findValue(more, name) ?? findValue(values, name) ?? ''),
    )
  }
  return piecesOf(text)
    .flatMap((piece) =>
      piece.isLoop
        ? outputs.map((output, index) =>
            place(piece.text, { output, 'loop.index0': String(index), 'loop.index': String(index + 1) }),
          )
        : [place(piece.text)],
    )
    .join('')
}

function findValue(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

export function canFill(prompt: string): boolean {
  const pieces = piecesOf(prompt).map(({ text }) => text)
  return !/\{[{%#]/.test(pieces.join('').replace(PLACE, ''))
}

/** Formats an answer that is JSON, digit by digit (D70). */
function asTemplateValue(text: string): string {
  const json = readJsonText(text)
  if (json === undefined) return text
  return json.items()?.map(inTemplate).join(',') ?? inTemplate(json.at([]) ?? '')
}

const inTemplate = (json: string): string => (json === 'null' ? '' : sayJson(json))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
