import { expect, test } from 'vitest'
import type { VariableField } from '../run-form.ts'
import { sentPieces } from './sent-preview.tsx'

const field = (name: string, change: Partial<VariableField> = {}): VariableField => ({
  name,
  type: 'text',
  stored: null,
  value: '',
  changed: false,
  problem: null,
  allowedValues: [],
  placeholder: '',
  api: null,
  isOwnDrive: false,
  lender: null,
  media: null,
  isAsked: false,
  ...change,
})

test('each reference is its value, what the run fetches, or stays as it is written', () => {
  const fields = [
    field('tone', { value: 'warm $<later>' }),
    field('later', { type: 'api' }),
    field('broken', { type: 'api', problem: 'It rests' }),
    field('none', { type: null }),
  ]
  const { pieces, left } = sentPieces({ template: 'Be $<tone>: $<later>$<broken>$<none>', fields, max: 100 })
  expect(pieces.map(({ kind, text }) => [kind, text])).toEqual([
    ['text', 'Be '],
    ['value', 'warm $<later>'],
    ['text', ': '],
    ['later', '$<later>'],
    ['missing', '$<broken>'],
    ['missing', '$<none>'],
  ])
  expect(left).toBe(0)
})

test('a long text is cut, and says by how much', () => {
  const fields = [field('long', { value: 'x'.repeat(50) })]
  const { pieces, left } = sentPieces({ template: 'a$<long>b$<long>', fields, max: 21 })
  expect(pieces.map(({ text }) => text.length)).toEqual([1, 20])
  expect(left).toBe(81)
})

test('a cut text ends between two signs as people see them, and nothing follows it', () => {
  const fields = [field('crew', { value: 'ab👩‍🚀' })]
  const { pieces, left } = sentPieces({ template: '$<crew>c', fields, max: 4 })
  expect(pieces.map(({ text }) => text)).toEqual(['ab'])
  expect(left).toBe(6)
})
