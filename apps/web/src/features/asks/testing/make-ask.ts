import type { Ask, ListedAsk } from '@catenary/contracts'

/** What run 218 of chain 12 asks ada, of maren. */
export function makeAsk(fields: Partial<Ask> = {}): Ask {
  return {
    id: 7,
    executionId: 218,
    chainId: 12,
    chainName: 'Ticket to answer',
    position: 4,
    title: 'Ana approves',
    runBy: 'maren',
    question: 'May this be sent?',
    text: 'You can sign in again.',
    editable: true,
    people: ['ada', 'ben'],
    groups: [],
    choices: [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject', ends: 'failed' },
    ],
    onDeadline: 'reject',
    since: '2026-11-30T09:30:00.000Z',
    deadline: '2026-12-01T09:30:00.000Z',
    status: 'open',
    decision: null,
    givenText: null,
    reason: null,
    by: null,
    at: null,
    canAnswer: true,
    ...fields,
  }
}

/** As a list shows it, which cuts off longer texts. */
export const makeListedAsk = (fields: Partial<Ask> = {}): ListedAsk => makeAsk(fields)
