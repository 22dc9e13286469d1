import type { Page } from 'playwright-core'
import type {
  Chain,
  ForEach,
  ItemCounts,
  ListedRunItem,
  RunDetails,
  RunItem,
  RunState,
  StepState,
} from '../../packages/contracts/src/index.ts'
import { ITEMS_SHOWN } from '../../packages/contracts/src/index.ts'
import { answers, changes, never, together } from './network.ts'

const MOORINGS = [
  'The ladder at berth 12 is missing two rungs; my son nearly fell this morning.',
  'Can the harbour office open before seven on race days?',
  'الإنارة عند الرصيف الشمالي مطفأة منذ ثلاثة أيام',
  'The tide table in the app is an hour off since the clocks changed.',
  `${'Wet'.repeat(60)} is what my boat was after the fenders had come loose once more`,
]
const itemAt = (index: number) => MOORINGS[index % MOORINGS.length] ?? ''
const isFailed = (index: number) => index % 17 === 4
const isSkipped = (index: number) => index % 11 === 7

/** How a step stands with so many items, the first of which have ended. */
function countsOf({ all, ended }: { all: number; ended: number }): ItemCounts {
  const places = Array.from({ length: ended }, (_, index) => index)
  const failed = places.filter(isFailed).length
  const skipped = places.filter((index) => !isFailed(index) && isSkipped(index)).length
  return { all, completed: ended - failed - skipped, skipped, failed }
}

function itemOf(index: number): RunItem {
  const item = itemAt(index)
  const ran = { modelId: 'claude-test', provider: 'anthropic', finishReason: 'stop' } as const
  const failed = {
    status: 'failed',
    error: 'Anthropic is overloaded: Overloaded',
    errorCode: 'model_overloaded',
    retries: 3,
  } as const
  const none = {
    modelId: null,
    provider: null,
    finishReason: null,
    inputContent: null,
    inputSegments: [],
    aiResponse: null,
    ...{ inputTokens: null, outputTokens: null, costUsd: null, durationMs: null },
  }
  return {
    index,
    item,
    status: 'completed',
    ...ran,
    fallback: null,
    executedAt: '2026-11-21T09:42:00.000Z',
    inputContent: `Answer in two lines: ${item}`,
    inputSegments: [{ start: 21, end: 21 + item.length, kind: 'output', name: 'mail' }],
    resolved: {},
    systemPrompt: '',
    aiResponse: 'Thank you for telling us. We have sent somebody, and write again when it is mended.',
    error: null,
    errorCode: null,
    skipReason: null,
    retries: 0,
    retriedAt: null,
    ...{ inputTokens: 214, outputTokens: 163, costUsd: 0.0031, cachedTokens: null, savedUsd: null },
    durationMs: 2_140,
    ...(isSkipped(index) && {
      ...none,
      status: 'skipped',
      skipReason: 'It runs only if mail contains berth',
    }),
    ...(isFailed(index) && { ...none, ...failed }),
  }
}

function listed(index: number): ListedRunItem {
  const { inputSegments: _, resolved: _resolved, systemPrompt: _system, ...item } = itemOf(index)
  return item
}

const FOR_EACH: ForEach = {
  list: 'draft',
  as: 'mail',
  max: 200,
  atOnce: 5,
  onFailure: 'leave_out',
  result: 'text',
}

interface Loop {
  all: number
  ended?: number
  status?: 'running' | 'completed' | 'failed'
  retried?: boolean
}

/** The letter's second step goes through a list of so many mails, in its chain and in its runs. */
export function loops({ all, ended = all, status = 'completed', retried = false }: Loop) {
  const itemCounts = countsOf({ all, ended })
  const isRun = status === 'completed'
  const told = {
    status,
    error: status === 'failed' ? `Item 5: ${itemOf(4).error}` : null,
    canResume: status === 'failed',
  }
  const items = Array.from({ length: Math.min(all, ITEMS_SHOWN) }, (_, index) => listed(index))
  const again = retried && { retriedAt: '2026-11-21T10:02:00.000Z', laterStepsKept: true as const }
  return together(
    changes<Chain>(/^\/api\/chains\/\d+$/, (chain) => ({
      ...chain,
      steps: chain.steps.map((step, index) =>
        index === 1
          ? {
              ...step,
              title: 'Answer each mail',
              content: 'Answer in two lines: {{mail}}',
              forEach: FOR_EACH,
            }
          : step,
      ),
    })),
    changes<RunDetails>(/^\/api\/executions\/\d+$/, (run) => ({
      ...run,
      ...told,
      steps: run.steps.map((step, index) =>
        index === 1
          ? {
              ...step,
              ...told,
              title: 'Answer each mail',
              inputContent: null,
              inputSegments: [],
              itemCounts,
              items,
              settings: { forEach: FOR_EACH },
              ...again,
              ...(!isRun && { aiResponse: null, outputVariableValue: null }),
            }
          : step,
      ),
    })),
    changes<RunState>(/^\/api\/executions\/\d+\/status$/, (state) => ({
      ...state,
      ...told,
      steps: state.steps.map(
        (step, index): StepState =>
          index === 1 ? { ...step, ...told, ...(status === 'running' && { itemCounts }) } : step,
      ),
    })),
    never(/^\/api\/executions\/\d+\/events$/),
    pages(all),
    answers(/^\/api\/executions\/\d+\/steps\/1\/items\/4$/, itemOf(4)),
    answers(/^\/api\/executions\/\d+\/steps\/1\/items\/0$/, itemOf(0)),
  )
}

/** The list of the items, a page at a time. */
function pages(all: number) {
  return (page: Page) =>
    page.route(
      ({ pathname }) => /^\/api\/executions\/\d+\/steps\/1\/items$/.test(pathname),
      (route) => {
        const query = new URL(route.request().url()).searchParams
        const from = Number(query.get('cursor') ?? 0)
        const indexes = Array.from({ length: all }, (_, index) => index).filter(
          (index) => query.get('status') !== 'failed' || isFailed(index),
        )
        const next = from + ITEMS_SHOWN
        return route.fulfill({
          json: indexes.slice(from, next).map(listed),
          headers: next < indexes.length ? { 'X-Next-Cursor': String(next) } : {},
        })
      },
    )
}
