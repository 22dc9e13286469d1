import type { Chain, ChainListItem, ChainStep } from '@catenary/contracts'

/** A step as the server sends it. */
export function makeStep(fields: Partial<ChainStep> = {}): ChainStep {
  const { id = 1 } = fields
  return {
    id,
    position: id - 1,
    title: `Step ${id}`,
    content: 'Go on.',
    model: 'claude',
    fallbackModel: null,
    outputVariableName: `out_${id}`,
    promptId: null,
    promptLabel: null,
    promptVersion: null,
    linkedPrompt: null,
    systemPrompt: null,
    temperature: null,
    maxTokens: null,
    ...fields,
  }
}

/** A chain as the server sends it: three steps, the third takes from both before. */
export function makeChain(fields: Partial<Chain> = {}): Chain {
  return {
    id: 12,
    slug: 'monday-digest',
    version: 3,
    labels: [],
    name: 'Monday digest',
    description: 'What customers told us.',
    exampleRequests: [],
    asksFirst: false,
    sharedLevel: 'private',
    stopsWithoutValue: 'unwatched',
    stopsWhenCut: 'unwatched',
    runsVisibleTo: 'editors',
    tags: [{ id: 3, name: 'weekly' }],
    owner: 'ada',
    revision: 4,
    createdAt: '2026-05-01T10:00:00.000Z',
    updatedAt: '2026-05-02T10:00:00.000Z',
    canView: true,
    canEdit: true,
    canDelete: true,
    canExecute: true,
    steps: [
      makeStep({ id: 1, title: 'Collect', outputVariableName: 'tickets', content: 'Group $<support>.' }),
      makeStep({ id: 2, title: 'Count', outputVariableName: 'counts', content: 'Count {{tickets}}.' }),
      makeStep({ id: 3, title: 'Write', outputVariableName: 'digest', content: '{{tickets}} {{counts}}' }),
    ],
    ...fields,
  }
}

/** A chain as a list shows it. */
export function makeListedChain(fields: Partial<ChainListItem> = {}): ChainListItem {
  const {
    steps,
    exampleRequests: _,
    asksFirst: _asks,
    slug: _slug,
    version: _version,
    labels: _labels,
    ...chain
  } = makeChain()
  return { ...chain, steps: steps.map(({ id }) => ({ id })), ...fields }
}
