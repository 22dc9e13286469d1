import type { MailTool } from '@catenary/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { destinationOfTool, findToolFault, goesByValue, renderCall } from '../tool-types.ts'
import { ToolValueError } from '../type-of-tool.ts'

const syntax = { outputs: true, jsonOutputs: new Set(['mail']) }
const told: MailTool = {
  type: 'mail',
  to: ['ana@example.org', '{{from}}'],
  subject: 'Re: {{about}}',
  text: 'It is {{about}}.',
}
const rendered = (tool: MailTool, values: Record<string, string>) =>
  renderCall(tool, {
    syntax,
    read: ({ raw }) => (values[raw] === undefined ? undefined : { text: values[raw] }),
  })

test('an email has its values, each address once, and is shown as it goes out', () => {
  expect(findToolFault(told, syntax)).toBeUndefined()
  const { call, shown } = rendered(told, { '{{from}}': ' Ana@Example.org\n', '{{about}}': 'a\nb' })
  expect(call).toEqual({
    type: 'mail',
    to: ['ana@example.org'],
    subject: 'Re: a b',
    text: 'It is a\nb.',
  })
  expect(shown.map(({ text }) => text).join('')).toBe('To: ana@example.org\nSubject: Re: a b\n\nIt is a\nb.')
})

test('whatever a value holds, it makes one address or none, and a subject of one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (from, about) => {
      try {
        const { call } = rendered(told, { '{{from}}': from, '{{about}}': about })
        if (call.type !== 'mail') throw new Error('It is no email')
        expect(call.to.length).toBeLessThanOrEqual(2)
        expect(call.to.join('')).not.toMatch(/[\s,;<>]/)
        expect(call.subject).not.toMatch(/[\r\n]/)
      } catch (error) {
        expect(error).toBeInstanceOf(ToolValueError)
      }
    }),
  )
  for (const from of ['a@b.example, c@d.example', 'A <a@b.example>', 'a@b.example\r\nBcc: c@d.example', ''])
    expect(() => rendered(told, { '{{from}}': from, '{{about}}': '' }), from).toThrow(ToolValueError)
})

test('its destination is its addresses, and one by reference is nobody’s to confirm', () => {
  expect(destinationOfTool(told)).toBe('mail to ana@example.org, {{from}}')
  expect(destinationOfTool({ ...told, subject: 'x', text: 'y' })).toBe(destinationOfTool(told))
  expect([goesByValue(told), goesByValue({ ...told, to: ['ana@example.org'] })]).toEqual([true, false])
  expect(goesByValue({ ...told, to: ['$<boss>'] })).toBe(true)
})
