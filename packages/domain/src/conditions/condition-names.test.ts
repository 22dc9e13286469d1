import { expect, it } from 'vitest'
import { flowTemplate, outputsBefore, renameInFlow } from './condition-names.ts'

const onlyIf = {
  all: [
    { ref: 'client', op: 'is_empty' as const },
    {
      any: [
        { ref: 'triage.severity', op: 'is' as const, value: 'high' },
        { ref: 'input', op: 'is_empty' as const },
      ],
    },
  ],
}
const stop = { outcome: 'failed' as const, text: 'No $<client> in {{input}}.' }

it('what a condition reads and how a run ends are a template, in which an output goes before a variable', () => {
  expect(flowTemplate({ onlyIf, stop })).toBe(
    'No $<client> in {{input}}.\n$<client>\n$<triage.severity>\n{{input}}',
  )
  const isOutput = (name: string) => name === 'triage'
  expect(flowTemplate({ onlyIf }, isOutput)).toBe('$<client>\n{{triage.severity}}\n$<input>')
  expect(flowTemplate({ stop: ['END'] })).toBe('')
})

it('an output is one from the step on that follows its own', () => {
  const [first, second] = outputsBefore([{ outputVariableName: 'triage' }, { outputVariableName: '' }])
  expect(['input', 'triage'].map((name) => first?.(name))).toEqual([true, false])
  expect(['input_context', 'triage'].map((name) => second?.(name))).toEqual([true, true])
})

it('a variable gets its new name in conditions and ends, where it is one', () => {
  const renamed = renameInFlow({ onlyIf, stop }, { from: 'Client', to: 'customer', isOutput: () => false })
  expect(flowTemplate(renamed)).toBe(
    'No $<customer> in {{input}}.\n$<customer>\n$<triage.severity>\n{{input}}',
  )
  const kept = renameInFlow(
    { onlyIf },
    { from: 'client', to: 'customer', isOutput: (name) => name === 'client' },
  )
  expect(kept).toEqual({ onlyIf })
})
