import { expect, test } from 'vitest'
import { readErrorTexts, readServer } from './lib/error-texts.ts'

/** What hands on another's words: a provider's, a schema's, a chain's, or a reader's of files. */
const HANDED_ON = [
  "{at ? {at}:  : ''}{issue?.message ?? 'The arguments are not valid'}",
  '{files[index]?.name}: {problem}',
  '{first.at}: {first.reason}',
  '{nameOf(index)}: {problem}',
  '{nounOf(kind)} exists',
  "{param}: {issue?.message ?? 'Invalid'}",
  "{param}: {message.replace('an document', 'a document')}",
  '{param}: {message}',
  '{param}: {why}',
  "{unmet}: {told.join('; ')}{more}.{second}",
  'REASONS.refused',
  'all[0]?.message ?? problem.message',
  'cleaned.refusal',
  'detail.message',
  'details[0].message',
  'error.message',
  'fault',
  'fault.message',
  "issue?.message ?? 'Invalid'",
  'known.message',
  'message',
  'problem',
  'text',
]

test('every message of a refusal or a failed run can be read from the code, so that the guide has it', () => {
  const { byCode, unknown } = readErrorTexts(readServer())
  expect(byCode.get('invalid')).toContain('Choose a time in the future')
  const made = unknown.map((line) => line.slice(line.indexOf(': ') + 2).replaceAll(/[$`]/g, ''))
  expect([...new Set(made)].toSorted()).toEqual(HANDED_ON.toSorted())
})

const source = (text: string) => ({ file: 'apps/server/src/a.ts', text, imports: [] })
const read = (text: string) => readErrorTexts([source(text)])

test('a message is read through constants, functions and choices', () => {
  const { byCode, unknown } = read(`
    const GONE = { prompt: 'This prompt is gone', chain: 'This chain is gone' }
    const refuse = (message: string) => new AppError('conflict', message)
    export function open(kind: 'prompt' | 'chain', most: number, isFull: boolean) {
      if (most > 3) throw refuse(\`At most \${most} are \${isFull ? 'kept' : 'open'}\`)
      throw new AppError('not_found', GONE[kind])
    }
    export const named = fieldError('name', 'Name is required')
    export const spent = { code: 'budget_spent', message: 'The budget is spent' }
  `)
  expect(Object.fromEntries(byCode)).toEqual({
    conflict: ['At most … are kept', 'At most … are open'],
    not_found: ['This chain is gone', 'This prompt is gone'],
    invalid: ['Name is required'],
    budget_spent: ['The budget is spent'],
  })
  expect(unknown).toEqual([])
})

test('a message that comes from elsewhere is named with its place', () => {
  const { byCode, unknown } = read(`throw new AppError('upstream', reply.text)`)
  expect([...byCode.values()].flat()).toEqual([])
  expect(unknown).toEqual(['apps/server/src/a.ts: reply.text'])
})
