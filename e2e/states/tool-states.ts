import { toCopy } from './chain-run-states.ts'
import { answers } from './network.ts'
import type { State } from './state.ts'
import { button, card, chainShown, choose, fill, inTurn, press, type Step, seen, there } from './steps.ts'
import { calls, toolSends, toolSteps } from './tool-answers.ts'

const kindTool: Step = (page) => page.getByRole('radio', { name: /^Tool/ }).click()

const write =
  (field: string, text: string): Step =>
  async (page) => {
    await page.getByRole('textbox', { name: field, exact: true }).click()
    await page.keyboard.insertText(text)
  }

/** The digest's chain, and what it is called for then. */
const calling: Step = inTurn(
  chainShown,
  toCopy('Refund by mail', async ({ id, steps }, call) => {
    const [, , third] = steps
    for (const step of toolSteps)
      await call('POST', `/chains/${id}/steps`, { kind: 'tool', position: third?.position, ...step })
  }),
  there(card('Find the parcel')),
)

/** The newest of the letter's runs. */
const opened: Step = inTurn(chainShown, (page) =>
  page
    .getByRole('region', { name: /^(Recent runs|Before that)$/ })
    .getByRole('link', { name: /^#/ })
    .first()
    .click(),
)

const inCard =
  (name: string): Step =>
  (page) =>
    card('Book the refund')(page).getByRole('button', { name }).click()

/** Steps that call a service, and what became of the calls. */
export const toolStates: readonly State[] = [
  {
    name: 'add-step-tool',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      kindTool,
      there((page) => page.getByRole('textbox', { name: 'Address' })),
    ),
  },
  {
    name: 'add-step-tool-errors',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      kindTool,
      fill('Title', 'Book the refund'),
      fill('Output variable name', 'refund'),
      write('Address', 'https://{{digest}}.example.org/v1/refunds'),
      press('Add parameter'),
      press('Add header'),
      fill('Name of header 1', 'X Team'),
      write('Value of header 1', 'support'),
      write('Body', '{"amount": }'),
      press(/^Add Step/),
      seen(/^The host of an address can’t be a reference/),
      seen('Name the parameter'),
      seen(/^This is not JSON/),
    ),
  },
  {
    name: 'edit-step-tool',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      calling,
      press('Book the refund'),
      there((page) => page.getByRole('textbox', { name: 'Body' })),
    ),
  },
  {
    name: 'edit-step-tool-long',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(calling, press(/^أرسل/), async (page) => {
      await page.getByRole('textbox', { name: 'Body' }).scrollIntoViewIfNeeded()
    }),
  },
  {
    name: 'edit-step-tool-form',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(calling, press('Book the refund'), choose('Form'), async (page) => {
      await page.getByRole('switch', { name: 'Safe to repeat' }).scrollIntoViewIfNeeded()
    }),
  },
  { name: 'chain-tools', who: 'user', path: '/chains/:digest', prepare: calling },
  {
    name: 'view-step-tool',
    who: 'user',
    path: '/chains/:letter',
    network: calls('answered', { canEdit: false, canDelete: false }),
    prepare: inTurn(chainShown, press('Book the refund'), seen('What comes back')),
  },
  {
    name: 'chain-tool-answered',
    who: 'user',
    path: '/chains/:letter',
    network: calls('answered'),
    prepare: inTurn(
      opened,
      (page) => card('Book the refund')(page).getByRole('button', { name: /^done/ }).click(),
      inCard('Rendered input'),
      there((page) => page.getByRole('list', { name: 'Where it came from' })),
    ),
  },
  {
    name: 'chain-tool-failed',
    who: 'user',
    path: '/chains/:letter',
    network: calls('refused'),
    prepare: inTurn(opened, seen('Resume from here')),
  },
  {
    name: 'chain-tool-unsure',
    who: 'user',
    path: '/chains/:letter',
    network: calls('unsure'),
    prepare: inTurn(opened, seen('Resume from here'), inCard('Rendered input')),
  },
  {
    name: 'chain-run-calls',
    who: 'user',
    path: '/chains/:digest',
    network: answers(/\/sends$/, toolSends),
    prepare: calling,
    opener: button(/^Execute Chain/),
  },
]
