import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, test, vi } from 'vitest'
import { completeOutputs, completeVariables } from './prompt-editor-completion.ts'

const variables = [
  { name: 'release_brand', preview: 'x' },
  { name: 'brand_voice', preview: 'Warm,\n exact' },
  { name: 'audience', preview: 'y' },
]

function complete({ text, onCreate }: { text: string; onCreate?: (name: string) => void }) {
  const context = new CompletionContext(EditorState.create({ doc: text }), text.length, false)
  return completeVariables({ context, variables, onCreate })
}

function labels(result: ReturnType<typeof complete>) {
  return result?.options.map(({ displayLabel, label }) => displayLabel ?? label)
}

test('The editor completes the names of variables, and offers to create one.', () => {
  const result = complete({ text: 'Voice: $<' })
  expect(labels(result)).toEqual(['release_brand', 'brand_voice', 'audience'])
  expect(result?.options[1]?.detail).toBe('Warm, exact')
  expect(result?.from).toBe(9)
})

test('names that begin with what is typed come first, the way to create it last', () => {
  expect(labels(complete({ text: '$<bra', onCreate: vi.fn() }))).toEqual([
    'brand_voice',
    'release_brand',
    'Create variable “bra”',
  ])
})

test('a known name is not offered to be created, whatever its case', () => {
  expect(labels(complete({ text: '$<Audience', onCreate: vi.fn() }))).toEqual(['audience'])
})

test('nothing is offered outside a reference', () => {
  expect(complete({ text: 'a < b' })).toBeNull()
  expect(complete({ text: '$<tone> and' })).toBeNull()
})

test('of an output that is a list, entries are completed after a bracket, and nothing after a dot', () => {
  const fields = [{ path: '[0].title', type: 'text' }]
  const complete = (text: string) =>
    completeOutputs({
      context: new CompletionContext(EditorState.create({ doc: text }), text.length, false),
      outputs: [{ name: 'answers', origin: 'step 2', fields }],
    })
  const found = complete('{{answers[')
  expect(found?.options.map(({ label }) => label)).toEqual(['[0].title'])
  expect(found?.from).toBe('{{answers'.length)
  expect(complete('{{answers.')?.options).toEqual([])
})

test('`{{` completes earlier outputs and the input, and after the dot the fields of an output in JSON.', () => {
  const outputs = [
    { name: 'input_context', origin: 'the whole input of the run' },
    {
      name: 'draft',
      origin: 'step 1 · Write',
      fields: [
        { path: 'title', type: 'text' },
        { path: 'parts', type: 'list of groups' },
        { path: 'parts[0].title', type: 'text' },
      ],
    },
  ]
  const at = (text: string) =>
    completeOutputs({
      context: new CompletionContext(EditorState.create({ doc: text }), text.length, false),
      outputs,
    })
  expect(labels(at('Mend {{'))).toEqual(['input_context', 'draft'])
  expect(at('Mend {{DR')?.options).toMatchObject([{ label: 'draft', detail: 'step 1 · Write' }])
  expect(at('Mend {{draft}}')).toBeNull()
  const fields = at('Mend {{draft.TI')
  expect(labels(fields)).toEqual(['title', 'parts[0].title'])
  expect(fields?.from).toBe('Mend {{draft.'.length)
  expect(labels(at('{{draft.parts[0].'))).toEqual(['parts[0].title'])
  expect(at('{{input_context.')).toBeNull()
  expect(at('{{draft.title}}')).toBeNull()
  expect(at('Mend $<')).toBeNull()
})
