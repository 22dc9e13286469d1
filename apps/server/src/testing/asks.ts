import type { StepAsk } from '@catenary/contracts'

/** What a step asks, of nobody unless it is said. */
export function makeStepAsk(fields: Partial<StepAsk> = {}): StepAsk {
  return {
    question: 'Send this answer?',
    text: '{{input}}',
    editable: false,
    people: [],
    groups: [],
    notTheRunner: false,
    choices: [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject', ends: 'failed' },
    ],
    deadlineMinutes: 1_440,
    onDeadline: 'reject',
    ...fields,
  }
}
