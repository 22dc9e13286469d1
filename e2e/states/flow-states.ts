import { toCopy } from './chain-run-states.ts'
import type { State } from './state.ts'
import { button, card, choose, inTurn, press, type Step, seen, there } from './steps.ts'

const text = { type: 'string' }
const TRIAGE = {
  type: 'object',
  properties: {
    severity: { ...text, enum: ['low', 'mid', 'high'] },
    customer: { type: 'object', properties: { name: text, is_new: { type: 'boolean' } } },
    items: { type: 'array', items: text },
  },
  required: ['severity', 'items'],
  additionalProperties: false,
}
const SEVERE = { all: [{ ref: 'triage.severity', op: 'is', value: 'high' }] }
const CALM = {
  all: [
    { ref: 'triage.severity', op: 'is_one_of', not: true, value: ['mid', 'high'] },
    {
      any: [
        { ref: 'triage.customer.name', op: 'contains', value: 'Harbour & Sons' },
        { ref: 'input', op: 'is_empty', not: true },
      ],
    },
  ],
}
const LONG = {
  any: [
    {
      ref: 'triage.customer.name',
      op: 'is',
      value: 'شركة الميناء وأبناؤه',
    },
    {
      ref: 'a_name_of_fifty_letters_is_as_long_as_it_can_be_x',
      op: 'matches',
      value: `^(${Array.from({ length: 12 }, (_, index) => `order number ${index + 1}`).join('|')})$`,
    },
    { ref: 'triage.items', op: 'contains', not: true, value: 'antidisestablishmentarianism'.repeat(6) },
  ],
}

/** The digest's chain as one that decides: a triage, a warning, its else, a long condition, and a stop. */
const triaging: Step = inTurn(
  there((page) => page.getByRole('list', { name: 'Steps' })),
  toCopy('Triage, warn or close', async ({ id, steps }, call) => {
    const patches = [
      {
        title: 'Triage the mail',
        outputVariableName: 'triage',
        output: { type: 'json', schema: TRIAGE },
        model: 'claude',
      },
      {
        title: 'Warn the on-call',
        outputVariableName: 'warning',
        content: 'Warn of {{triage.items}} in two lines.',
        onlyIf: SEVERE,
        default: 'Nobody was warned.',
        ifItFails: 'go_on',
      },
      {
        title: 'تنبيه المناوب',
        outputVariableName: 'alert',
        content: 'حذّر من {{triage.items}} في سطرين.',
        onlyIf: LONG,
      },
      {
        title: 'Answer',
        outputVariableName: 'answer',
        content: 'Answer {{triage}} and {{alert}}.',
        onlyIf: CALM,
      },
      { title: 'Subject line', content: 'One subject line for {{answer}}.' },
    ]
    for (const [index, patch] of patches.entries()) {
      await call('PATCH', `/chains/${id}/steps/${steps[index]?.id}`, patch)
    }
    await call('POST', `/chains/${id}/steps`, {
      kind: 'stop',
      title: 'Nothing to do',
      onlyIf: { all: [{ ref: 'triage.items', op: 'is_empty' }] },
      stop: { outcome: 'completed', text: 'No answer is needed: {{triage.severity}}.' },
      position: steps[0]?.position,
    })
  }),
  there(card('Nothing to do')),
)

/** What of the letter's chain, of two steps, is changed before its copy runs. */
interface Letter {
  onlyIf?: object
  stop?: object
}

/** Runs a copy of the letter's chain whose second step is conditional, or comes after a stop. */
const ran = ({ onlyIf, stop }: Letter, end: Step): Step =>
  inTurn(
    there((page) => page.getByRole('list', { name: 'Steps' })),
    toCopy('Letter, if any', async ({ id, steps: [draft, letter] }, call) => {
      if (onlyIf) await call('PATCH', `/chains/${id}/steps/${letter?.id}`, { onlyIf })
      if (stop) {
        const position = draft?.position
        await call('POST', `/chains/${id}/steps`, { kind: 'stop', title: 'Enough', position, stop })
      }
    }),
    press(/^Execute Chain/),
    end,
  )

const skipped: Step = ran(
  { onlyIf: { all: [{ ref: 'draft', op: 'contains', value: 'zeppelin' }] } },
  seen('Last Execution Result'),
)

/** Steps that run only if something holds, steps that end a run, and what both make of it. */
export const flowStates: readonly State[] = [
  { name: 'chain-conditions', who: 'user', path: '/chains/:digest', prepare: triaging },
  {
    name: 'edit-step-condition',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(triaging, press('Answer'), seen(/of these must hold/), (page) =>
      page.getByRole('button', { name: 'Add group' }).scrollIntoViewIfNeeded(),
    ),
  },
  {
    name: 'edit-step-condition-names',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(triaging, press('Warn the on-call'), async (page) => {
      const name = page.getByRole('combobox', { name: 'Name in condition 1' })
      await name.scrollIntoViewIfNeeded()
      await name.fill('tri')
      await page.getByRole('option', { name: /^triage.severity/ }).waitFor()
    }),
  },
  {
    name: 'edit-step-condition-errors',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      triaging,
      press('Warn the on-call'),
      press('Add condition'),
      press(/^Save Changes/),
      seen('Choose what to look at'),
    ),
  },
  {
    name: 'add-else-step',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      triaging,
      (page) => card('Warn the on-call')(page).getByRole('button', { name: /^Else/ }).click(),
      seen(/^Step 4 of “Triage, warn or close/),
    ),
  },
  {
    name: 'add-step-stop',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      (page) => page.getByRole('radio', { name: /^Stop/ }).click(),
      choose('Failed'),
      there((page) => page.getByRole('textbox', { name: 'Error of the run' })),
    ),
  },
  {
    name: 'conditional-step-menu',
    who: 'user',
    path: '/chains/:digest',
    prepare: triaging,
    opener: button('More: Warn the on-call'),
  },
  {
    name: 'chain-skipped',
    who: 'user',
    path: '/chains/:letter',
    prepare: inTurn(skipped, seen('skipped')),
  },
  {
    name: 'chain-skipped-history',
    who: 'user',
    path: '/chains/:letter?history=open',
    prepare: inTurn(skipped, press('View Details'), (page) =>
      page
        .getByRole('list', { name: /^Steps of execution/ })
        .getByRole('button', { name: /Shorten it/ })
        .click(),
    ),
  },
  {
    name: 'chain-unreadable',
    who: 'user',
    path: '/chains/:letter',
    prepare: ran(
      { onlyIf: { all: [{ ref: 'draft', op: '>', value: '20' }] } },
      seen(/which is not a number/),
    ),
  },
  {
    name: 'chain-stopped-by-step',
    who: 'user',
    path: '/chains/:letter',
    prepare: inTurn(
      ran(
        { stop: { outcome: 'completed', text: 'The draft is enough:\n\n{{draft}}' } },
        seen('Last Execution Result'),
      ),
      seen('The run ended before it'),
    ),
  },
  {
    name: 'chain-failed-by-step',
    who: 'user',
    path: '/chains/:letter',
    prepare: ran(
      { stop: { outcome: 'failed', text: 'Nobody asked for a letter.' } },
      seen(/^Execution #\d+ failed/),
    ),
  },
]
