import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CheckedStep, checkChain, outputsTaken, takesInput, variablesTaken } from './chain-checks.ts'

/** Steps written as `output: content`. */
function chain(...lines: string[]): CheckedStep[] {
  return lines.map((line) => {
    const [outputVariableName = '', content = ''] = line.split(/: (.*)/s)
    return { outputVariableName, content }
  })
}

function warned(steps: CheckedStep[], options: { variables?: string[]; hasInput?: boolean } = {}) {
  return checkChain({ steps, ...options }).map(({ kind, step, name }) => [kind, step, name])
}

describe('outputsTaken', () => {
  it('names for each step the earlier steps that it takes from, each once', () => {
    const steps = chain('a: $<x>', 'b: {{a}} {{a}}', 'c: {{b}} {{a}} {{input}} {{d}} {{c}}', 'd: {{nothing}}')
    expect(outputsTaken(steps)).toEqual([
      [],
      [{ name: 'a', from: 0 }],
      [
        { name: 'b', from: 1 },
        { name: 'a', from: 0 },
      ],
      [],
    ])
  })

  it('takes nothing from a name in another case: outputs are case-sensitive', () => {
    expect(outputsTaken(chain('Draft: x', 'b: {{draft}}'))).toEqual([[], []])
  })
})

describe('a step with a system prompt and turns', () => {
  const schema = { type: 'object', properties: { topic: { type: 'string' } } }
  const steps: CheckedStep[] = [
    {
      content: 'x',
      systemPrompt: 'For {{input}}, {{c}}.',
      outputVariableName: 'a',
      output: { type: 'json', schema },
    },
    {
      content: 'y',
      outputVariableName: 'b',
      messages: [
        { role: 'user', content: '{{a.title}} $<nobody>' },
        { role: 'assistant', content: '{{a.topic}} {{none}}' },
      ],
    },
    { content: 'z', systemPrompt: null, outputVariableName: 'c' },
  ]

  it('takes what these name', () => {
    expect(outputsTaken(steps)).toEqual([[], [{ name: 'a', from: 0 }], []])
    expect(takesInput(steps)).toBe(true)
  })

  it('is warned of as for its content', () => {
    expect(warned(steps, { variables: [], hasInput: true })).toEqual([
      ['later-output', 0, 'c'],
      ['unknown-output', 1, 'none'],
      ['unknown-field', 1, 'a'],
      ['unknown-variable', 1, 'nobody'],
      ['unused-output', 1, 'b'],
    ])
  })

  it('is read anew when one of them changes', () => {
    const step: CheckedStep = { content: 'x', systemPrompt: '{{d}}', outputVariableName: 'a' }
    expect(warned([step])).toEqual([['unknown-output', 0, 'd']])
    step.systemPrompt = null
    expect(warned([step])).toEqual([])
    step.messages = [{ role: 'user', content: '{{e}}' }]
    expect(warned([step])).toEqual([['unknown-output', 0, 'e']])
  })
})

describe('variablesTaken', () => {
  it('names those of all texts and of conditions, and no output', () => {
    const messages = [{ role: 'user' as const, content: 'Like $<sample>' }]
    const all = [
      { ref: 'a', op: 'is_empty' as const },
      { ref: 'mood', op: 'is' as const, value: '$<no>' },
    ]
    const stop = { outcome: 'failed' as const, text: 'Not for $<client>' }
    expect(
      variablesTaken([
        { outputVariableName: 'a', content: '$<x> {{input}}', systemPrompt: 'Be $<tone>', messages },
        { outputVariableName: '', content: '', onlyIf: { all }, stop },
      ]),
    ).toEqual(['tone', 'sample', 'x', 'mood', 'client'])
  })
})

describe('takesInput', () => {
  it.each([
    ['{{input}}', true],
    ['{{input_context}}', true],
    ['{{inputs}} $<input>', false],
  ])('%s: %s', (content, expected) => {
    expect(takesInput(chain(`a: ${content}`))).toBe(expected)
  })
})

describe('checkChain', () => {
  it('has nothing to say about a chain in which each step takes what an earlier one made', () => {
    const steps = chain('a: $<Tone> {{input_context}}', 'b: {{a}}', 'c: {{a}} {{b}} {{input}}')
    expect(warned(steps, { variables: ['tone'], hasInput: true })).toEqual([])
  })

  it('warns of an output that no step makes', () => {
    expect(warned(chain('a: {{draft}}'))).toEqual([['unknown-output', 0, 'draft']])
  })

  it('warns of an output that only a later step makes, and names that step', () => {
    const warnings = checkChain({ steps: chain('a: {{c}}', 'b: {{a}}', 'c: $<x> {{input}}') })
    expect(warnings).toEqual([
      { kind: 'later-output', step: 0, name: 'c', message: '{{c}} is only produced later, by step 3.' },
      { kind: 'unused-output', step: 1, name: 'b', message: 'No step uses its output {{b}}.' },
    ])
  })

  it('warns of a step that takes its own output', () => {
    expect(warned(chain('a: {{a}}'))).toEqual([['self-reference', 0, 'a']])
  })

  it('warns of names in a circle, where moving a step would not help', () => {
    expect(warned(chain('a: {{c}}', 'b: {{a}}', 'c: {{b}}'))).toEqual([['cycle', 0, 'c']])
    expect(warned(chain('a: {{b}}', 'b: {{a}}'))).toEqual([['cycle', 0, 'b']])
  })

  it('warns of an output that is never used, but not of the last one: it is the result', () => {
    expect(warned(chain('a: x', 'b: y'))).toEqual([['unused-output', 0, 'a']])
  })

  it('counts an output as used when an earlier step asks for it', () => {
    expect(warned(chain('a: {{b}}', 'b: x', 'c: {{a}}'))).toEqual([['later-output', 0, 'b']])
  })

  it('warns of variables that are not known, without regard to case, only where they are given', () => {
    const steps = chain('a: $<Tone> $<nobody>')
    expect(warned(steps, { variables: ['tone'] })).toEqual([['unknown-variable', 0, 'nobody']])
    expect(warned(steps)).toEqual([])
  })

  it('warns of an input that goes nowhere, only when there is one', () => {
    expect(warned(chain('a: x'), { hasInput: true })).toEqual([['unused-input', null, null]])
    expect(warned(chain('a: x'))).toEqual([])
    expect(warned([], { hasInput: true })).toEqual([])
  })

  it('reads a step anew when its text has changed', () => {
    const [step] = chain('a: {{b}}') as [CheckedStep]
    expect(warned([step])).toHaveLength(1)
    step.content = 'x'
    expect(warned([step])).toEqual([])
  })

  it('judges each reference of any chain exactly once', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const anyChain = fc.uniqueArray(fc.record({ outputVariableName: name, uses: fc.uniqueArray(name) }), {
      selector: ({ outputVariableName }) => outputVariableName,
    })
    fc.assert(
      fc.property(anyChain, (drawn) => {
        const steps = drawn.map((step) => ({ ...step, content: step.uses.map((use) => `{{${use}}}`).join() }))
        const judged = checkChain({ steps }).filter(({ kind }) => kind !== 'unused-output')
        const taken = outputsTaken(steps)
        steps.forEach((step, index) => {
          const names = judged.filter((warning) => warning.step === index).map((warning) => warning.name)
          const fine = taken[index]?.map((output) => output.name) ?? []
          expect([...names, ...fine].sort()).toEqual([...step.uses].sort())
        })
      }),
    )
  })
})

it('A path that no field of the schema has is warned of.', () => {
  const schema = {
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
    },
  }
  const summary = { content: 'x', outputVariableName: 'summary', output: { type: 'json' as const, schema } }
  const warningsOf = (content: string) =>
    checkChain({ steps: [summary, { content, outputVariableName: 'b' }] }).map(({ kind, message }) => [
      kind,
      message,
    ])
  expect(warningsOf('{{summary.items[0].title}}')).toEqual([])
  expect(warningsOf('{{summary.items[0].titel}}')).toEqual([
    ['unknown-field', 'summary.items[0] has no field titel.'],
  ])
  expect(warningsOf('{{summary.titel}}')).toEqual([['unknown-field', 'summary has no field titel.']])
  expect(warningsOf('{{summary[0]}}')).toEqual([['unknown-field', 'summary is not a list.']])
})

describe('conditions', () => {
  const only = (ref: string) => ({ all: [{ ref, op: 'is' as const, value: 'x' }] })
  const step = (name: string, fields: object = {}): CheckedStep => ({
    content: 'x',
    outputVariableName: name,
    ...fields,
  })
  const warnings = (...steps: CheckedStep[]) =>
    checkChain({ steps, variables: ['client'] }).map(({ kind, step: at, name }) => [kind, at, name])

  it('An output that may be skipped and has no default is warned of, unless a condition looks at it.', () => {
    const takes = step('c', { content: '{{b}}' })
    for (const may of [{ onlyIf: only('a') }, { ifItFails: 'go_on' }]) {
      const first = step('a')
      const used = step('d', { content: '{{a}}' })
      expect(warnings(first, step('b', may), takes, used)).toContainEqual(['may-be-empty', 2, 'b'])
      const mended = [
        [step('b', { ...may, default: 'none' }), takes],
        [step('b', may), step('c', { content: '{{b}}', onlyIf: only('b') })],
      ] as const
      for (const [maker, taker] of mended)
        expect(warnings(first, maker, taker, used).filter(([kind]) => kind === 'may-be-empty')).toEqual([])
    }
  })

  it('what a condition looks at is used, and warned of where it is nothing', () => {
    expect(warnings(step('a'), step('b', { onlyIf: only('a') }))).toEqual([])
    expect(warnings(step('b', { onlyIf: only('client') }))).toEqual([])
    expect(warnings(step('b', { onlyIf: only('nobody') }))).toEqual([['unknown-variable', 0, 'nobody']])
    expect(warnings(step('a'), step('b', { onlyIf: only('a.severity') }))).toContainEqual([
      ...['unknown-field', 1, 'a.severity'],
    ])
    const [taken] = outputsTaken([step('a'), step('b', { onlyIf: only('a') })]).slice(1)
    expect(taken).toEqual([{ name: 'a', from: 0 }])
    expect(takesInput([step('a', { onlyIf: only('input') })])).toBe(true)
  })

  it('the text of a step that ends the run is read like that of any other', () => {
    const stop = { outcome: 'completed' as const, text: 'So {{a}} for {{nothing}}' }
    expect(warnings(step('a'), step('', { content: '', stop }))).toEqual([['unknown-output', 1, 'nothing']])
  })

  it('the output of the last step that surely runs is the run’s', () => {
    expect(warnings(step('a'), step('b', { onlyIf: only('client') }))).toEqual([])
    expect(warnings(step('a'), step('b'))).toEqual([['unused-output', 0, 'a']])
  })
})

describe('steps that run for each item of a list', () => {
  const answerOf = (fields: Record<string, unknown>) => ({
    type: 'json' as const,
    schema: { type: 'object', properties: fields },
  })
  const item = { type: 'object', properties: { title: { type: 'string' } } }
  const triage = {
    content: 'x',
    outputVariableName: 'triage',
    output: answerOf({ items: { type: 'array', items: item } }),
  }
  const each = (list: string, fields: object = {}): CheckedStep => ({
    content: '{{item.title}} {{index}}',
    outputVariableName: 'answers',
    forEach: { list, as: 'item', max: 5, atOnce: 1, onFailure: 'stop', result: 'text' },
    ...fields,
  })
  const warnings = (...steps: CheckedStep[]) =>
    checkChain({ steps, variables: ['client'] }).map(({ kind, step, name }) => [kind, step, name])

  it('the item, its fields and its number are known in the step, and nowhere else', () => {
    expect(warnings(triage, each('triage.items'))).toEqual([])
    expect(warnings(triage, each('triage.items', { content: '{{item.titel}}' }))).toEqual([
      ['unknown-field', 1, 'item'],
    ])
    const item = { all: [{ ref: 'item.title', op: 'is_empty' as const }] }
    expect(warnings(triage, each('triage.items', { content: 'x', onlyIf: item }))).toEqual([])
    const after = { content: '{{answers}} {{index}}', outputVariableName: 'b' }
    expect(warnings(triage, each('triage.items'), after)).toEqual([['unknown-output', 2, 'index']])
    expect(outputsTaken([triage, each('triage.items')])[1]).toEqual([{ name: 'triage', from: 0 }])
  })

  it('A list that names nothing, and an item that nothing names, are warned of.', () => {
    expect(warnings(each('client'))).toEqual([])
    expect(warnings(each('input'))).toEqual([])
    expect(warnings(each('nobody'))).toEqual([['unknown-list', 0, 'nobody']])
    expect(warnings({ ...triage, output: undefined }, each('triage.items'))).toContainEqual([
      ...['unknown-list', 1, 'triage.items'],
    ])
    expect(warnings(triage, each('triage.nope'))).toContainEqual(['unknown-field', 1, 'triage'])
    expect(warnings(each('client', { content: 'the same' }))).toEqual([['unused-item', 0, 'item']])
  })

  it('a result that is JSON has fields by the schema of its items', () => {
    const answers = each('client', { output: answerOf({ ok: { type: 'boolean' } }) })
    const json = { ...answers, forEach: { ...answers.forEach, result: 'json' } } as CheckedStep
    const takes = (content: string) => ({ content, outputVariableName: 'b' })
    expect(warnings(json, takes('{{answers[0].ok}}'))).toEqual([])
    expect(warnings(json, takes('{{answers[0].of}}'))).toEqual([['unknown-field', 1, 'answers']])
    expect(warnings(json, takes('{{answers.ok}}'))).toEqual([['unknown-field', 1, 'answers']])
  })
})

describe('a step that asks', () => {
  const ask = {
    question: 'Send it?',
    text: '{{a}}',
    editable: false,
    people: ['ana'],
    groups: [],
    notTheRunner: false,
    choices: [{ id: 'yes', label: 'Yes' }],
    deadlineMinutes: 60,
    onDeadline: 'yes',
  }
  const asking = (own: object = {}) => [
    ...chain('a: x'),
    { outputVariableName: 'b', content: '', ask: { ...ask, ...own } },
    ...chain('c: y'),
  ]

  it('takes what its text names, and need not be used', () => {
    expect(outputsTaken(asking())[1]).toEqual([{ name: 'a', from: 0 }])
    expect(warned(asking())).toEqual([])
  })

  it('is warned about where it asks nobody', () => {
    expect(warned(asking({ people: [] }))).toEqual([['asks-nobody', 1, null]])
  })
})
