import type { Group, Share } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { makeStep } from '../../../../testing/make-chain.ts'
import { makeToolStep } from '../../testing/make-tool-step.ts'
import { type AnswerersOptions, answerersProblem, asksOthers, isBeforeTool } from './who-could-answer.ts'

const leads: Group = {
  id: 2,
  name: 'Support leads',
  isBuiltIn: false,
  memberCount: 2,
  members: ['Ben', 'cleo'],
  leaders: [],
  shareCount: 0,
  canEdit: false,
}
const nobody = { people: [], groups: [], notTheRunner: false }
const problem = (
  asked: Partial<AnswerersOptions['asked']>,
  shares: Share[] | undefined = [],
  sharedLevel: 'private' | 'shared' | 'public' = 'shared',
) =>
  answerersProblem({
    asked: { ...nobody, ...asked },
    chain: { owner: 'ana', sharedLevel },
    shares,
    groups: [leads],
  })

test('The form of a step that asks says when nobody could answer, and who of several can’t.', () => {
  expect(problem({ people: ['Ana'] })).toBeNull()
  expect(problem({ people: ['ben'] })).toBe('Nobody could answer: ben can’t see this chain.')
  expect(problem({ people: ['ben', 'cleo'], groups: [] }, [], 'private')).toBe(
    'Nobody could answer: ben and cleo can’t see this chain.',
  )
  expect(problem({ people: ['ana', 'ben'] })).toBe('Ben can’t see this chain, so the others have to answer.')
  expect(problem({ people: ['ben'] }, [{ username: 'Ben', role: 'viewer' }])).toBeNull()
  expect(problem({ people: ['ben'] }, [{ group: 'support leads', role: 'viewer' }])).toBeNull()
  expect(problem({ people: ['dora'] }, [{ group: 'Support leads', role: 'viewer' }])).toBe(
    'Nobody could answer: dora can’t see this chain.',
  )
  expect(problem({ people: ['dora'] }, [], 'public')).toBeNull()
})

test('a group can see what one of its people can', () => {
  expect(problem({ groups: ['Support leads'] })).toBe(
    'Nobody could answer: Support leads can’t see this chain.',
  )
  expect(problem({ groups: ['Support leads'] }, [{ username: 'ben', role: 'editor' }])).toBeNull()
  expect(problem({ groups: ['a group that is not seen'] })).toBeNull()
})

test('a role without people is nobody, and readers of a public chain have none', () => {
  expect(problem({ role: 'owner' })).toBeNull()
  expect(problem({ role: 'editor' }, [{ username: 'ben', role: 'viewer' }])).toBe(
    'Nobody could answer: the chain is shared with no editors.',
  )
  expect(problem({ role: 'viewer' }, [{ username: 'ben', role: 'viewer' }])).toBeNull()
  expect(problem({ role: 'viewer' }, [{ username: 'ben', role: 'viewer' }], 'public')).toBe(
    'Nobody could answer: the chain is shared with no viewers.',
  )
})

test('whoever alone may answer can’t answer their own runs where the step says so', () => {
  expect(problem({ people: ['ana'], notTheRunner: true })).toBe(
    'Nobody could answer in runs that ana starts.',
  )
  expect(problem({ role: 'owner', notTheRunner: true })).toBe('Nobody could answer in runs that ana starts.')
  expect(problem({ people: ['ANA'], role: 'owner', notTheRunner: true })).toBe(
    'Nobody could answer in runs that ana starts.',
  )
  expect(problem({ people: ['ana'], groups: ['Support leads', 'unseen'], notTheRunner: true })).toBe(
    'Support leads can’t see this chain, so the others have to answer.',
  )
})

test('what is not known yet is no warning, nor that nobody is named', () => {
  expect(
    answerersProblem({
      asked: { ...nobody, people: ['ben'] },
      chain: { owner: 'ana', sharedLevel: 'shared' },
      shares: undefined,
      groups: [],
    }),
  ).toBeNull()
  expect(problem({})).toBeNull()
})

test('A new step that asks others keeps its runner from answering where a call follows.', () => {
  const user = { username: 'Ana' }
  const asked = { people: [], groups: [], role: 'nobody' as const }
  const asks = (fields: Partial<Parameters<typeof asksOthers>[0]>) =>
    asksOthers({ ...asked, ...fields }, { user, owner: 'ana' })
  expect([asks({}), asks({ people: ['ana'] }), asks({ role: 'owner' })]).toEqual([false, false, false])
  expect([asks({ people: ['ana', 'ben'] }), asks({ groups: ['Leads'] }), asks({ role: 'editor' })]).toEqual([
    true,
    true,
    true,
  ])
  const chain = { steps: [makeStep({ position: 0 }), makeToolStep({ position: 1 })] }
  expect([0, 1, '1', 2].map((position) => isBeforeTool({ chain, position }))).toEqual([
    true,
    true,
    true,
    false,
  ])
})
