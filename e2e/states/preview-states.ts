import type { Chain, ChainRunSummary, RunDetails } from '../../packages/contracts/src/index.ts'
import { sends } from './ask-answers.ts'
import { toCopy } from './chain-run-states.ts'
import { loops } from './loop-answers.ts'
import { answers, changes, fails, never, together } from './network.ts'
import {
  preview,
  previewAsk,
  previewGaps,
  previewItem,
  previewLong,
  previewSkipped,
  previews,
  previewTooMany,
  previewUnreadable,
} from './preview-answers.ts'
import type { State } from './state.ts'
import { button, card, chainShown, fill, inTurn, pick, press, type Step, seen, there } from './steps.ts'

const PREVIEW = /\/steps\/\d+\/preview$/
const CHAIN = /^\/api\/chains\/\d+$/
const RUN = /^\/api\/executions\/\d+$/
const HISTORY = /^\/api\/chains\/\d+\/executions$/

const letter = { who: 'user', path: '/chains/:letter' } as const
const figure = (name: string) => there((page) => page.getByRole('figure', { name }))
const sent = figure('What would be sent')
const previewed = (end: Step = sent, step = 'Shorten it'): Step =>
  inTurn(chainShown, pick(`More: ${step}`, 'Preview'), end)

/** The letter’s second step runs only if something holds. */
const onlyIf = (op: '>' | 'contains', value: string) =>
  changes<Chain>(CHAIN, (chain) => ({
    ...chain,
    steps: chain.steps.map((step, index) =>
      index === 1 ? { ...step, onlyIf: { all: [{ ref: 'draft', op, value }] } } : step,
    ),
  }))

/** The chain’s second step asks people about the draft. */
const asks = changes<Chain>(CHAIN, (chain) => ({
  ...chain,
  steps: chain.steps.map((step, index) =>
    index === 1
      ? {
          ...step,
          ...{ kind: 'ask', title: 'Approve the letter', model: null, outputVariableName: 'approved' },
          ask: {
            question: 'May this letter be sent to Harbour & Sons?',
            text: 'This is the letter:\n\n{{draft}}',
            editable: true,
            people: ['grace'],
            groups: [],
            notTheRunner: false,
            choices: [
              { id: 'approve', label: 'Approve' },
              { id: 'reject', label: 'Reject', ends: 'failed' },
            ],
            deadlineMinutes: 1_440,
            onDeadline: 'reject',
          },
        }
      : step,
  ),
}))

const FROM = { executionId: 12, position: 1, chainVersion: 1 }

/** The letter’s runs began at their second step, with what nobody here wrote. */
const begunThere = together(
  changes<ChainRunSummary>(HISTORY, (run) => ({ ...run, from: FROM })),
  changes<RunDetails>(RUN, (run) => ({
    ...run,
    from: FROM,
    steps: run.steps.map((step, index) =>
      index === 0
        ? {
            ...step,
            takenFrom: FROM.executionId,
            durationMs: null,
            inputTokens: null,
            outputTokens: null,
            costUsd: null,
          }
        : { ...step, fromOutside: ['draft', 'input'] },
    ),
  })),
)

const ran: Step = inTurn(
  chainShown,
  toCopy('Letter from the middle', async () => undefined),
  press(/^Execute Chain/),
  seen('Chain executed'),
)
const openedCard = (title: string): Step =>
  inTurn(
    (page) => card(title)(page).getByRole('button', { name: /^done/ }).click(),
    there((page) => page.getByRole('figure', { name: 'Output' })),
  )
const openedStep: Step = inTurn(
  there((page) => page.locator('[data-execution-id]').nth(1)),
  press('View Details'),
  (page) =>
    page
      .getByRole('list', { name: /^Steps of execution/ })
      .getByRole('button', { name: /Shorten it/ })
      .click(),
)

/** What a step would send, runs that begin at a later step, and what came from outside. */
export const previewStates: readonly State[] = [
  { name: 'step-preview', ...letter, network: previews(preview), prepare: previewed() },
  {
    name: 'step-preview-runs',
    ...letter,
    network: previews(preview),
    prepare: previewed(),
    opener: (page) => page.getByRole('combobox', { name: 'With the values of' }),
  },
  {
    name: 'step-preview-gaps',
    ...letter,
    network: previews(previewGaps),
    prepare: previewed(seen('from outside')),
  },
  {
    name: 'step-preview-skipped',
    ...letter,
    network: together(onlyIf('contains', 'zeppelin'), previews(previewSkipped)),
    prepare: previewed(),
  },
  {
    name: 'step-preview-unreadable',
    ...letter,
    network: together(onlyIf('>', '20'), previews(previewUnreadable)),
    prepare: previewed(seen(/^A run would stop here/)),
  },
  {
    name: 'step-preview-item',
    ...letter,
    network: together(loops({ all: 24 }), previews(previewItem)),
    prepare: previewed(sent, 'Answer each mail'),
  },
  {
    name: 'step-preview-too-many',
    ...letter,
    network: together(loops({ all: 24 }), previews(previewTooMany)),
    prepare: previewed(sent, 'Answer each mail'),
  },
  {
    name: 'step-preview-ask',
    ...letter,
    network: together(asks, previews(previewAsk)),
    prepare: previewed(figure('What people would see'), 'Approve the letter'),
  },
  { name: 'step-preview-long', ...letter, network: previews(previewLong), prepare: previewed() },
  {
    name: 'step-preview-empty',
    ...letter,
    network: together(
      answers(HISTORY, []),
      answers(PREVIEW, {
        ...preview,
        inputContent: 'Shorten {{draft}}.',
        inputSegments: [],
        missing: ['draft'],
        inputTokens: 6,
      }),
    ),
    prepare: previewed(seen(/^There is no run yet/)),
  },
  {
    name: 'step-preview-loading',
    ...letter,
    network: never(PREVIEW),
    prepare: previewed(there((page) => page.getByRole('status', { name: 'Loading the preview' }))),
  },
  {
    name: 'step-preview-error',
    ...letter,
    network: fails(PREVIEW),
    prepare: previewed(seen('The preview could not be loaded')),
  },
  {
    name: 'edit-step-preview',
    ...letter,
    network: previews(preview),
    prepare: inTurn(
      chainShown,
      press('Shorten it'),
      fill('Title', 'Shorten it to three lines'),
      press('Preview'),
      sent,
    ),
  },
  {
    name: 'step-view-preview',
    ...letter,
    network: changes(CHAIN, { canEdit: false, canDelete: false }),
    prepare: inTurn(
      chainShown,
      press('Shorten it'),
      there((page) => page.getByRole('button', { name: 'Preview' })),
    ),
  },
  { name: 'step-menu-run-from', ...letter, prepare: ran, opener: button('More: Shorten it') },
  {
    name: 'chain-run-from',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: together(asks, answers(/\/sends$/, sends)),
    prepare: inTurn(openedStep, seen('Saved as letter')),
    opener: button('Run from here'),
  },
  {
    name: 'chain-taken-over',
    ...letter,
    network: begunThere,
    prepare: inTurn(ran, openedCard('Shorten it'), seen('from outside')),
  },
  {
    name: 'chain-history-from',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: begunThere,
    prepare: inTurn(
      openedStep,
      press('from outside'),
      there((page) => page.getByRole('tooltip')),
    ),
  },
]
