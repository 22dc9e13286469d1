import { toCopy } from './chain-run-states.ts'
import { mailSteps } from './mail-answers.ts'
import { answers } from './network.ts'
import type { State } from './state.ts'
import { button, card, chainShown, choose, fill, inTurn, press, type Step, seen, there } from './steps.ts'
import { calls, resting, sealedStep, toolSends, toolSteps, waits } from './tool-answers.ts'

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

/** The digest's chain, and whom it emails then. */
const mailing: Step = inTurn(
  chainShown,
  toCopy('Tell the team', async ({ id, steps }, call) => {
    const [, , third] = steps
    for (const step of mailSteps)
      await call('POST', `/chains/${id}/steps`, { kind: 'tool', position: third?.position, ...step })
  }),
  there(card('Tell the team')),
)

/** The same with a header that nobody reads. */
const sealing: Step = inTurn(
  chainShown,
  toCopy('Refund with a key', async ({ id, steps }, call) => {
    await call('POST', `/chains/${id}/steps`, { kind: 'tool', position: steps[2]?.position, ...sealedStep })
  }),
  there(card('Book the refund')),
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
  {
    name: 'add-step-tool-ready',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      kindTool,
      press('GitHub issue'),
      there((page) => page.getByLabel('Name of header 3')),
    ),
  },
  {
    name: 'add-step-mail',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      kindTool,
      choose('Send an email'),
      there((page) => page.getByRole('textbox', { name: 'Subject' })),
    ),
  },
  {
    name: 'add-step-mail-errors',
    who: 'user',
    path: '/chains/:digest?step=new',
    prepare: inTurn(
      kindTool,
      choose('Send an email'),
      write('To', 'team@example.org, to-{{digest}}@example.org'),
      press(/^Add Step/),
      seen(/Write an email address, or a reference alone/),
      seen('Write the subject'),
    ),
  },
  {
    name: 'edit-step-mail',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      mailing,
      press('Tell the team'),
      there((page) => page.getByRole('textbox', { name: 'Subject' })),
    ),
  },
  {
    name: 'edit-step-mail-long',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      mailing,
      press(/^أخبر/),
      there((page) => page.getByRole('textbox', { name: 'Subject' })),
    ),
  },
  { name: 'chain-mails', who: 'user', path: '/chains/:digest', prepare: mailing },
  {
    name: 'edit-step-tool-sealed',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(
      sealing,
      press('Book the refund'),
      there((page) => page.getByRole('button', { name: 'Replace value of header 1' })),
      async (page) => {
        await page.getByRole('button', { name: 'Replace value of header 1' }).scrollIntoViewIfNeeded()
      },
    ),
  },
  {
    name: 'chain-tool-rests',
    who: 'user',
    path: '/chains/:digest',
    network: resting,
    prepare: inTurn(
      sealing,
      there((page) => page.getByRole('button', { name: 'Allow the call' })),
    ),
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
    name: 'chain-tool-waits',
    who: 'user',
    path: '/chains/:letter',
    network: waits,
    prepare: inTurn(opened, seen('It happened')),
  },
  {
    name: 'add-step-tool-barred',
    who: 'user',
    path: '/chains/:digest?step=new',
    network: answers('/api/tool-steps', { maySave: false }),
    prepare: seen(/^Only administrators may add/),
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
