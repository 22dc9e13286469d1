import { expect, it } from 'vitest'
import { asksEachItem, flowTemplate, outputsBefore, renameInFlow } from './condition-names.ts'

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

it('a condition that names the item is asked for each, and its list is a name like any other', () => {
  const is = (ref: string) => ({ all: [{ ref, op: 'is_empty' as const }] })
  const forEach = {
    list: 'orders',
    as: 'order',
    max: 5,
    atOnce: 1,
    onFailure: 'stop',
    result: 'text',
  } as const
  expect(['order', 'order.kind', 'index', 'orders'].map((ref) => asksEachItem(is(ref), forEach))).toEqual([
    ...[true, true, true, false],
  ])
  expect(asksEachItem(is('order'), null)).toBe(false)
  expect(flowTemplate({ onlyIf: is('order.kind'), forEach })).toBe('{{order.kind}}\n$<orders>')
  expect(flowTemplate({ forEach }, (name) => name === 'orders')).toBe('{{orders}}')
  const rename = { from: 'orders', to: 'mails', isOutput: () => false }
  expect(renameInFlow({ onlyIf: is('orders'), forEach }, rename)).toEqual({
    onlyIf: is('mails'),
    forEach: { ...forEach, list: 'mails' },
  })
  const item = { from: 'order', to: 'mail', isOutput: () => false }
  expect(renameInFlow({ onlyIf: is('order'), forEach }, item)).toEqual({ onlyIf: is('order'), forEach })
})
