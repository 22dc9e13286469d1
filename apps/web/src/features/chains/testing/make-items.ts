import type { ItemCounts, ListedRunItem, RunItem, RunStep } from '@catenary/contracts'
import { makeRunStep } from './make-run.ts'

/** Item 5 of the tickets that a step of run 218 answered. */
export function makeRunItem(fields: Partial<RunItem> = {}): RunItem {
  const { index = 4 } = fields
  return {
    index,
    item: `Ticket ${index + 1}`,
    status: 'completed',
    modelId: 'gpt-test',
    provider: 'openai',
    fallback: null,
    finishReason: 'stop',
    executedAt: '2026-11-21T09:42:00.000Z',
    inputContent: `Answer Ticket ${index + 1}.`,
    inputSegments: [{ start: 7, end: 15, kind: 'output', name: 'item' }],
    resolved: {},
    systemPrompt: '',
    aiResponse: `Dear ticket ${index + 1}.`,
    error: null,
    errorCode: null,
    skipReason: null,
    retries: 0,
    retriedAt: null,
    inputTokens: 100,
    outputTokens: 20,
    costUsd: 0.25,
    cachedTokens: null,
    savedUsd: null,
    durationMs: 1200,
    ...fields,
  }
}

/** The same as a list of items has it. */
function makeListedItem(fields: Partial<RunItem> = {}): ListedRunItem {
  const { inputSegments: _, resolved: _resolved, systemPrompt: _system, ...listed } = makeRunItem(fields)
  return listed
}

/** So many items, of which each fifth failed. */
export function makeListedItems({ count, from = 0 }: { count: number; from?: number }): ListedRunItem[] {
  return Array.from({ length: count }, (_, place) => {
    const index = from + place
    const failed = { status: 'failed', aiResponse: null, error: 'It rests.', costUsd: null } as const
    return makeListedItem({ index, ...(index % 5 === 4 && failed) })
  })
}

/** A step that answered so many tickets, of which each fifth failed. */
export function makeLoopStep(all: number, fields: Partial<RunStep> = {}): RunStep {
  const failed = Math.floor(all / 5)
  const itemCounts: ItemCounts = { all, completed: all - failed, skipped: 0, failed }
  return makeRunStep({
    inputContent: null,
    itemCounts,
    items: makeListedItems({ count: Math.min(20, all) }),
    settings: {
      forEach: {
        list: 'tickets',
        as: 'item',
        max: 200,
        atOnce: 3,
        onFailure: 'leave_out',
        result: 'text',
      },
    },
    ...fields,
  })
}
