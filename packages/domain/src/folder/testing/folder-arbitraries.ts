import { isVisible, tidyName } from '@catenary/contracts'
import fc from 'fast-check'
import type { FolderChain, FolderPrompt, FolderStep, FolderSuite } from '../folder-records.ts'

/** Texts that a file could change: ends of lines, marks of YAML and of front matter. */
const hard = fc.constantFrom(
  '---',
  '---\n',
  '\n---\n',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\t',
  '# no comment',
  ': ',
  '- ',
  '"',
  "'",
  '|',
  '>',
  '{{output}}',
  '$<name>',
  '\u2028',
  '\u0085',
  '\ufeff',
  '\\n',
  'null',
  '~',
  'true',
  '0x1f',
  '1e3',
  '2026-11-27',
  '&a *a',
  '!!js/function',
  '<<',
  '😀',
)
const anyText = fc
  .array(fc.oneof(hard, fc.string({ unit: 'grapheme', maxLength: 12 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((text) => text.isWellFormed())
const content = anyText.filter((text) => text.trim() !== '')
const line = (most: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: most })
    .map((text) => tidyName(text.replace(/[\r\n\0]/g, ' ')))
    .filter((text) => isVisible(text) && text.length <= most && text.isWellFormed())
const anySlug = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/)
const tags = fc.uniqueArray(line(20), { maxLength: 4 }).map((names) => names.toSorted())
const schema = fc.constant({
  type: 'object',
  properties: { $ref: { type: 'string' }, answer: { type: 'string', enum: ['yes', 'no: ', '---'] } },
  required: ['$ref', 'answer'],
  additionalProperties: false,
})
const turns = fc.array(
  fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: anyText }),
  {
    minLength: 1,
    maxLength: 3,
  },
)
const own = <Values>(values: fc.Arbitrary<Values>) => fc.option(values, { nil: undefined })
const stepSettings = {
  moreFallbackModels: own(fc.constant(['claude'])),
  effort: own(fc.constantFrom('none' as const, 'low' as const, 'high' as const)),
  stop: own(fc.array(line(10), { minLength: 1, maxLength: 4 })),
  output: own(schema.map((each) => ({ type: 'json' as const, schema: each }))),
  messages: own(turns),
}
const ref = fc.constantFrom('triage.severity', 'client', 'input', 'items[0].name')
const negated = { not: own(fc.constant(true as const)) }
/** Its fields in the order in which they are read. */
const comparison = fc.oneof(
  fc.record({ ref, op: fc.constantFrom('is' as const, 'contains' as const), ...negated, value: anyText }),
  fc.record({ ref, op: fc.constantFrom('>' as const, '<' as const), ...negated, value: line(8) }),
  fc.record({
    ref,
    op: fc.constant('is_one_of' as const),
    ...negated,
    value: fc.array(anyText, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ ref, op: fc.constant('is_empty' as const), ...negated }),
)
const groupOf = <Part>(part: fc.Arbitrary<Part>) => {
  const parts = fc.array(part, { minLength: 1, maxLength: 3 })
  return fc.oneof(fc.record({ all: parts }), fc.record({ any: parts }))
}
const flow = {
  onlyIf: own(groupOf(fc.oneof(comparison, groupOf(comparison)))),
  // Where the answers are JSON it is too.
  default: own(content.map((text) => JSON.stringify({ text }))),
  ifItFails: own(fc.constant('go_on' as const)),
}
const forEach = own(
  fc.record({
    list: fc.constantFrom('input', 'triage.items', 'rows'),
    as: fc.constantFrom('item', 'row'),
    max: fc.integer({ min: 1, max: 200 }),
    atOnce: fc.integer({ min: 1, max: 10 }),
    onFailure: fc.constantFrom('stop' as const, 'leave_out' as const),
    result: fc.constantFrom('text' as const, 'json' as const),
  }),
)
const temperature = fc.double({ min: 0, max: 2, noNaN: true }).map((number) => number + 0)
const maxTokens = fc.integer({ min: 1, max: 1_000_000 })

/** Without the names of what is not set. */
const set = <Values extends object>(record: fc.Arbitrary<Values>) =>
  record.map((values) => JSON.parse(JSON.stringify(values)) as Values)

export const anyPrompt: fc.Arbitrary<FolderPrompt> = fc.record({
  kind: fc.constant('prompt' as const),
  slug: anySlug,
  title: line(60),
  content,
  category: line(30),
  tags,
  isActive: fc.boolean(),
  skill: fc.option(
    fc.record({
      description: content.map((text) => text.trim()),
      parts: fc
        .uniqueArray(fc.stringMatching(/^[a-z0-9]{1,8}(\/[a-z0-9]{1,8}\.md)?$/), { maxLength: 3 })
        .map((paths) =>
          paths
            .toSorted()
            .map((path, index) =>
              index % 2 === 0 ? { path, prompt: 'style-guide' } : { path, variable: 'tone' },
            ),
        ),
    }),
  ),
  settings: set(
    fc.record({
      model: own(fc.constantFrom('openai', 'gpt-4o-mini')),
      fallbackModel: own(fc.constant('claude')),
      temperature: own(temperature),
      maxTokens: own(maxTokens),
      systemPrompt: own(content),
      ...stepSettings,
    }),
  ) as fc.Arbitrary<FolderPrompt['settings']>,
})

const link = fc.oneof(
  fc.constant({ prompt: null, label: null, version: null }),
  fc.record({ prompt: anySlug, label: fc.constant(null), version: fc.constant(null) }),
  fc.record({ prompt: anySlug, label: fc.constant('production'), version: fc.constant(null) }),
  fc.record({ prompt: anySlug, label: fc.constant(null), version: fc.integer({ min: 1, max: 99 }) }),
)
const anyStep = (index: number): fc.Arbitrary<FolderStep> =>
  fc
    .tuple(
      link,
      fc.record({
        outputVariableName: fc.constant(`step_${index}`),
        title: fc.oneof(fc.constant(''), line(40)),
        model: fc.constantFrom('openai', 'claude'),
        fallbackModel: fc.constantFrom(null, 'claude'),
        temperature: fc.option(temperature),
        maxTokens: fc.option(maxTokens),
        settings: set(fc.record({ ...flow, forEach, ...stepSettings })) as fc.Arbitrary<
          FolderStep['settings']
        >,
        systemPrompt: fc.option(fc.oneof(fc.constant(''), anyText)),
        content: fc.oneof(fc.constant(''), anyText),
      }),
    )
    .map(([to, step]) => ({ ...step, ...to }))

const withoutModel = {
  ...{ model: fc.constant(null), fallbackModel: fc.constant(null), content: fc.constant('') },
  ...{ temperature: fc.constant(null), maxTokens: fc.constant(null), systemPrompt: fc.constant(null) },
  ...{ prompt: fc.constant(null), label: fc.constant(null), version: fc.constant(null) },
}

/** Whom it asks is no part of a file. */
const askStep: fc.Arbitrary<FolderStep> = fc.record({
  outputVariableName: fc.constant('asked'),
  title: fc.oneof(fc.constant(''), line(40)),
  settings: set(
    fc.record({
      kind: fc.constant('ask'),
      ...flow,
      ask: fc.record({
        question: line(60),
        text: anyText,
        editable: fc.boolean(),
        people: fc.constant([]),
        groups: fc.constant([]),
        role: own(fc.constantFrom('owner' as const, 'editor' as const)),
        notTheRunner: fc.boolean(),
        choices: fc.constant([
          { id: 'yes', label: 'Yes: go on' },
          { id: 'no', label: 'No', ends: 'failed' as const },
        ]),
        deadlineMinutes: fc.integer({ min: 1, max: 43_200 }),
        onDeadline: fc.constantFrom('yes', 'no'),
      }),
    }),
  ) as fc.Arbitrary<FolderStep['settings']>,
  ...withoutModel,
})

const stopStep: fc.Arbitrary<FolderStep> = fc.record({
  outputVariableName: fc.constantFrom('', 'ended'),
  title: fc.oneof(fc.constant(''), line(40)),
  settings: set(
    fc.record({
      kind: fc.constant('stop'),
      ...flow,
      stop: fc.record({ outcome: fc.constantFrom('completed', 'failed'), text: anyText }),
    }),
  ) as fc.Arbitrary<FolderStep['settings']>,
  ...withoutModel,
})

export const anyChain: fc.Arbitrary<FolderChain> = fc.record({
  kind: fc.constant('chain' as const),
  slug: anySlug,
  name: line(60),
  description: fc.oneof(
    fc.constant(''),
    anyText.map((text) => text.trim()),
  ),
  tags,
  stopsWithoutValue: fc.constantFrom('unwatched' as const, 'always' as const, 'never' as const),
  stopsWhenCut: fc.constantFrom('unwatched' as const, 'always' as const, 'never' as const),
  runsVisibleTo: fc.constantFrom('editors' as const, 'runner' as const),
  exampleRequests: fc.array(line(40), { maxLength: 3 }),
  asksFirst: fc.boolean(),
  steps: fc.oneof(fc.tuple(anyStep(0), anyStep(1)), fc.tuple(anyStep(0), stopStep, askStep, anyStep(3))),
})

const values = fc.dictionary(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_]{0,19}$/), anyText, { maxKeys: 3 })
const assertions = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('contains' as const), value: content }),
    fc.record({ type: fc.constant('not-icontains' as const), value: content }),
    fc.constant({ type: 'is-json' as const }),
  ),
  { maxLength: 3 },
) as fc.Arbitrary<FolderSuite['defaults']['assertions']>
/** As a database keeps it. */
const anyJson = fc
  .jsonValue({ stringUnit: 'grapheme', maxDepth: 3 })
  .filter((value) => !/\\u0000|__proto__/.test(JSON.stringify(value)))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const notRun = fc.array(
  fc.record({
    path: fc.array(fc.oneof(line(10), fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 3 }),
    reason: fc.option(line(30)),
    value: anyJson,
  }),
  { maxLength: 2 },
) as fc.Arbitrary<FolderSuite['imported']>
const threshold = fc.option(fc.constantFrom(0, 0.5, 1, 3.25))
const parts = { values, assertions, threshold, notRun }

export const anySuite: fc.Arbitrary<FolderSuite> = fc.record({
  kind: fc.constant('suite' as const),
  of: fc.record({ kind: fc.constantFrom('prompt' as const, 'chain' as const), slug: anySlug }),
  file: anySlug,
  name: line(60),
  defaults: fc.record(parts),
  cases: fc.array(
    fc.record({
      name: line(40),
      input: fc.oneof(fc.constant(''), anyText),
      tags: fc.uniqueArray(line(20), { maxLength: 2 }),
      skipsDefaults: fc.boolean(),
      ...parts,
    }),
    { maxLength: 3 },
  ),
  imported: notRun,
})
