import {
  ASSERTION_KIND_NAMES,
  ASSERTION_KINDS,
  type Assertion,
  type AssertionKind,
  type GradedAnswer,
  type PlainAssertion,
} from '@catenary/contracts'
import { pick, type Random, randomFrom, upTo } from './random.ts'
import {
  answerText,
  FACT_REPLIES,
  PATTERNS,
  prose,
  REASONS,
  RUBRIC_REPLIES,
  SCHEMAS,
  WORDS,
  YAML_SCHEMA,
} from './sample-texts.ts'

/** A case with an answer and what a judge says of it: the same for the same seed. */
export interface Sample {
  assertions: Assertion[]
  threshold: number | null
  values: Record<string, string>
  answer: GradedAnswer
  /** What each judge that is asked replies. */
  reply: string
}

export const SAMPLES_PER_KIND = 200

type Fields = Omit<PlainAssertion, 'type'>
/** A word of the answer, or another; none that promptfoo would take for a template. */
const some = (random: Random, text: string) => {
  const words = text.split(/\s+/).filter((word) => word !== '' && !word.includes('{{'))
  return random() < 0.5 && words.length > 0 ? pick(random, words) : pick(random, WORDS)
}
/** A reference stays one. */
const loud = (word: string) => (word.includes('$<') ? word : word.toUpperCase())
const list = (random: Random, text: string) => {
  const words = Array.from({ length: 1 + upTo(random, 3) }, () => some(random, text))
  return random() < 0.3 ? words.map((word) => (word.includes('"') ? 'we' : word)).join(', ') : words
}

const FIELDS: Record<AssertionKind, (random: Random, answer: GradedAnswer) => object> = {
  equals: (random, { text }) => ({
    value:
      pick<unknown>(random, [
        text,
        prose(random, 2) || 'x',
        42,
        true,
        { name: 'Ada', age: 36 },
        [1, 2, 3],
        {},
      ]) || 'x',
  }),
  contains: (random, { text }) => ({ value: random() < 0.1 ? 42 : some(random, text) }),
  icontains: (random, { text }) => ({ value: loud(some(random, text)) }),
  'contains-any': (random, { text }) => ({ value: list(random, text) }),
  'contains-all': (random, { text }) => ({ value: list(random, text) }),
  'icontains-any': (random, { text }) => ({ value: list(random, text) }),
  'icontains-all': (random, { text }) => ({ value: list(random, text) }),
  'starts-with': (random, { text }) => ({
    value: (random() < 0.5 && text.slice(0, 3)) || some(random, text),
  }),
  regex: (random) => ({ value: pick(random, PATTERNS) }),
  'is-json': (random) => (random() < 0.3 ? {} : { value: pick<unknown>(random, [...SCHEMAS, YAML_SCHEMA]) }),
  'contains-json': (random) =>
    random() < 0.3 ? {} : { value: pick<unknown>(random, [...SCHEMAS, YAML_SCHEMA]) },
  levenshtein: (random, { text }) => ({
    value: random() < 0.6 ? text.slice(upTo(random, 4)) + pick(random, ['', 'x', 'end']) : prose(random, 3),
    ...(random() < 0.5 && { threshold: upTo(random, 20) }),
  }),
  latency: (random) => ({ threshold: upTo(random, 10) * 500 }),
  cost: (random) => ({ threshold: upTo(random, 10) / 1000 }),
  'word-count': (random, { text }) => {
    const words = text.split(/\s+/).filter((word) => word !== '').length
    const near = Math.max(0, words + upTo(random, 4) - 2)
    return {
      value: pick<unknown>(random, [
        near,
        String(near),
        { min: near },
        { max: near },
        { min: near, max: near + 3 },
      ]),
    }
  },
  'finish-reason': (random) => ({
    value: pick(random, ['stop', 'STOP', 'length', 'content_filter', 'tool_calls']),
  }),
  'llm-rubric': (random) => ({
    ...(random() < 0.9 && { value: 'Is polite to $<name>' }),
    ...(random() < 0.4 && { threshold: upTo(random, 10) / 10 }),
  }),
  factuality: () => ({ value: 'Paris is the capital of France' }),
  'select-best': () => ({ value: 'the most polite' }),
}

function plain(random: Random, kind: AssertionKind, answer: GradedAnswer): PlainAssertion {
  // promptfoo's code has no opposite of these, though its documentation has of `factuality`.
  const isNot = random() < 0.35 && !('onlyPlain' in ASSERTION_KINDS[kind]) && kind !== 'factuality'
  const fields = FIELDS[kind](random, answer) as Fields
  return { type: isNot ? `not-${kind}` : kind, ...fields } as PlainAssertion
}

const METRICS = ['tone', 'facts', 'for $<name>']

function weighed<Each extends Assertion>(random: Random, assertion: Each): Each {
  return {
    ...assertion,
    ...(random() < 0.5 && { weight: pick(random, [0, 0.5, 1, 2, 3]) }),
    ...(random() < 0.5 && { metric: pick(random, METRICS) }),
  }
}

/** What neither needs a judge nor can be refused by promptfoo. */
const IN_SETS: readonly AssertionKind[] = [
  'contains',
  'icontains',
  'word-count',
  'latency',
  'is-json',
  'llm-rubric',
]

function manyOf(random: Random, answer: GradedAnswer): Assertion[] {
  const one = () => weighed(random, plain(random, pick(random, IN_SETS), answer))
  return Array.from({ length: 1 + upTo(random, 3) }, () =>
    random() < 0.4
      ? weighed(random, {
          type: 'assert-set' as const,
          assert: Array.from({ length: 1 + upTo(random, 3) }, one),
          ...(random() < 0.5 && { threshold: upTo(random, 10) / 10 }),
        })
      : one(),
  )
}

export const SAMPLED_KINDS = [
  ...ASSERTION_KIND_NAMES.filter((kind) => kind !== 'select-best'),
  'assert-set' as const,
]
export type SampledKind = (typeof SAMPLED_KINDS)[number]

/** The samples of a kind, always the same. */
export function samplesOf(kind: SampledKind): Sample[] {
  const random = randomFrom(SAMPLED_KINDS.indexOf(kind) + 1)
  return Array.from({ length: SAMPLES_PER_KIND }, () => {
    const answer: GradedAnswer = {
      text: answerText(random),
      latencyMs: upTo(random, 10) * 500,
      costUsd: upTo(random, 10) / 1000,
      finishReason: pick(random, REASONS),
    }
    const isSet = kind === 'assert-set'
    return {
      assertions: isSet ? manyOf(random, answer) : [plain(random, kind, answer)],
      threshold: isSet && random() < 0.5 ? upTo(random, 10) / 10 : null,
      values: { name: 'Ada' },
      answer,
      reply: pick(random, kind === 'factuality' ? FACT_REPLIES : RUBRIC_REPLIES),
    }
  })
}
