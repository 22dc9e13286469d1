import type { StepPreview } from '@catenary/contracts'

/** Step 3 of chain 12 as run 218 would have sent it. */
export function makePreview(fields: Partial<StepPreview> = {}): StepPreview {
  return {
    executionId: 218,
    position: 2,
    kind: 'prompt',
    title: 'Write',
    model: 'claude',
    ...{ promptId: null, promptLabel: null, promptVersion: null },
    outputVariableName: 'digest',
    inputContent: 'Three groups. Twelve.',
    inputSegments: [
      { start: 0, end: 13, kind: 'output', name: 'tickets' },
      { start: 14, end: 21, kind: 'output', name: 'counts' },
    ],
    resolved: {},
    attachments: [],
    systemPrompt: '',
    missing: [],
    withheld: [],
    condition: null,
    items: null,
    problem: null,
    inputTokens: 1204,
    ...fields,
  }
}
