import { toCopy } from './chain-run-states.ts'
import { loops } from './loop-answers.ts'
import type { State } from './state.ts'
import { card, choose, inTurn, press, type Step, seen, there } from './steps.ts'

const text = { type: 'string' }
const TRIAGE = {
  type: 'object',
  properties: {
    severity: { ...text, enum: ['low', 'mid', 'high'] },
    items: {
      type: 'array',
      items: { type: 'object', properties: { title: text, urgent: { type: 'boolean' } } },
    },
  },
  required: ['severity', 'items'],
  additionalProperties: false,
}
const EACH = { list: 'triage.items', as: 'item', max: 50, atOnce: 3, onFailure: 'stop', result: 'text' }
const LONG_NAME = 'a_name_of_fifty_letters_is_as_long_as_it_can_be_x'

const chainShown = there((page) => page.getByRole('list', { name: 'Steps' }))

/** The digest's chain as one that answers each item: plainly, under a condition of the item's, under long names, and from right to left. */
const answering: Step = inTurn(
  chainShown,
  toCopy('Answer each ticket', async ({ id, steps }, call) => {
    const patches = [
      {
        title: 'Triage the mails',
        outputVariableName: 'triage',
        output: { type: 'json', schema: TRIAGE },
        model: 'claude',
      },
      {
        title: 'Answer each item',
        outputVariableName: 'answers',
        content: 'Answer {{item.title}}, which is number {{index}}.',
        forEach: { ...EACH, onFailure: 'leave_out', atOnce: 4 },
        onlyIf: { all: [{ ref: 'item.urgent', op: 'is', value: 'true' }] },
      },
      {
        title: 'أجب عن كل تذكرة',
        outputVariableName: 'replies',
        content: 'أجب عن {{ticket}} في سطرين.',
        forEach: { ...EACH, as: 'ticket', result: 'json' },
        onlyIf: { all: [{ ref: 'triage.severity', op: 'is', value: 'high' }] },
      },
      {
        title: 'Shorten each of them',
        outputVariableName: 'shortened',
        content: `Shorten {{${LONG_NAME}}}.`,
        forEach: { ...EACH, list: 'replies', as: LONG_NAME, max: 200, atOnce: 10, onFailure: 'leave_out' },
      },
      { title: 'Subject line', content: 'One subject line for {{answers}} and {{shortened}}.' },
    ]
    for (const [index, patch] of patches.entries()) {
      await call('PATCH', `/chains/${id}/steps/${steps[index]?.id}`, patch)
    }
  }),
  there(card('Answer each item')),
)

const listField = (page: Parameters<Step>[0]) => page.getByRole('combobox', { name: 'List' })

/** The newest of the letter's runs. */
const opened: Step = inTurn(chainShown, (page) =>
  page
    .getByRole('region', { name: /^(Recent runs|Before that)$/ })
    .getByRole('link', { name: /^#/ })
    .first()
    .click(),
)
const openedItems: Step = inTurn(opened, press('Items of step 2'), (page) =>
  page
    .getByRole('button', { name: /The ladder at berth 12/ })
    .first()
    .waitFor(),
)

/** Steps that go through a list, and what became of each item. */
export const loopStates: readonly State[] = [
  { name: 'chain-loops', who: 'user', path: '/chains/:digest', prepare: answering },
  {
    name: 'edit-step-loop',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(answering, press('Answer each item'), async (page) => {
      await page.getByRole('radiogroup', { name: 'Combine results as' }).scrollIntoViewIfNeeded()
    }),
  },
  {
    name: 'edit-step-loop-names',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(answering, press('Answer each item'), async (page) => {
      await listField(page).scrollIntoViewIfNeeded()
      await listField(page).fill('tri')
      await page.getByRole('option', { name: /^triage.items list/ }).waitFor()
    }),
  },
  {
    name: 'edit-step-loop-errors',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      answering,
      press('Subject line'),
      press(/^How often it runs/),
      choose('For each item'),
      (page) => page.getByLabel('Maximum items').fill('201'),
      press(/^Save Changes/),
      seen('A whole number from 1 to 200'),
    ),
  },
  {
    name: 'chain-loop-running',
    who: 'user',
    path: '/chains/:letter',
    network: loops({ all: 200, ended: 12, status: 'running' }),
    prepare: inTurn(opened, seen(/^running · 12 of 200/)),
  },
  {
    name: 'chain-loop-left-out',
    who: 'user',
    path: '/chains/:letter',
    network: loops({ all: 12 }),
    prepare: inTurn(openedItems, async (page) => {
      await page
        .getByRole('button', { name: /once more/ })
        .first()
        .click()
      await page.getByText('Anthropic is overloaded: Overloaded').first().waitFor()
    }),
  },
  {
    name: 'chain-loop-retried',
    who: 'user',
    path: '/chains/:letter',
    network: loops({ all: 12, retried: true }),
    prepare: inTurn(opened, seen(/^Failed items were retried/)),
  },
  {
    name: 'chain-loop-failed',
    who: 'user',
    path: '/chains/:letter',
    network: loops({ all: 12, ended: 7, status: 'failed' }),
    prepare: inTurn(opened, seen('Resume from here')),
  },
  {
    name: 'chain-loop-many',
    who: 'user',
    path: '/chains/:letter',
    network: loops({ all: 200 }),
    prepare: inTurn(openedItems, press('Next'), seen('21–40 of 200'), async (page) => {
      await page.getByRole('button', { name: 'Previous' }).scrollIntoViewIfNeeded()
    }),
  },
  {
    name: 'chain-loop-history',
    who: 'user',
    path: '/chains/:letter?history=open',
    network: loops({ all: 12 }),
    prepare: inTurn(
      there((page) => page.locator('[data-execution-id]')),
      press('View Details'),
      (page) =>
        page
          .getByRole('list', { name: /^Steps of execution/ })
          .getByRole('button', { name: /Answer each mail/ })
          .click(),
      (page) =>
        page
          .getByRole('list', { name: /^Steps of execution/ })
          .getByRole('button', { name: /^Items of step/ })
          .click(),
      there((page) => page.getByRole('button', { name: /The ladder at berth 12/ })),
    ),
  },
]
