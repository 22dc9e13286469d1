import type { Page } from 'playwright-core'
import { makeRun } from '../../apps/web/src/features/chains/testing/make-run.ts'
import { sends } from './ask-answers.ts'
import { answers, fails, never } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, press, type Step, seen, there } from './steps.ts'
import {
  bestTokens,
  chainOffers,
  chainTokens,
  deliveries,
  hookInput,
  hookOfForm,
  hookOfGithub,
  hookRuns,
  hooks,
  selections,
  tokenDetails,
  tokenRuns,
} from './token-answers.ts'

const BEST_TOKENS = '/api/best-tokens'
const SELECTIONS = '/api/best-selections'
const OFFERS = '/api/chain-offers'
const HISTORY = /^\/api\/chains\/\d+\/executions$/
const VALUE = 'ctc_9fKqW3zTq7mYb2LxR8vNc5JdHs1GpKe6AuZo4F0iQy9Xw2'

type Network = NonNullable<State['network']>

const all =
  (...parts: Network[]): Network =>
  async (page) => {
    for (const part of parts) await part(page)
  }
const ofForms = all(...tokenDetails.map((token) => answers(`/api/own-tokens/${token.id}`, token)))
const ofChain = all(
  ofForms,
  answers('/api/tokens', chainTokens),
  answers(/^\/api\/tokens\/\d+\/executions$/, tokenRuns),
)
const ofBest = all(
  ofForms,
  answers(BEST_TOKENS, bestTokens),
  answers(SELECTIONS, selections),
  answers(OFFERS, chainOffers),
)

const OWN_TOKENS = '/api/own-tokens'
const DELIVERIES = /^\/api\/own-tokens\/\d+\/deliveries$/
const CHAIN = /\/chains\/(\d+)/
const ofHooks = all(
  answers('/api/tokens', chainTokens),
  answers(OWN_TOKENS, (page: Page) => {
    const chainId = Number(page.url().match(CHAIN)?.[1])
    return hooks.map((hook) => ({ ...hook, chainId }))
  }),
  answers(`${OWN_TOKENS}/941`, hookOfGithub),
  answers(`${OWN_TOKENS}/942`, hookOfForm),
  answers(/^\/api\/tokens\/\d+\/executions$/, hookRuns),
  answers(/^\/api\/executions\/412$/, makeRun({ id: 412, input: hookInput })),
  answers(DELIVERIES, deliveries),
)

/** The section is far down the page. */
const inView =
  (id: string): Step =>
  (page) =>
    page.locator(id).evaluate((section) => section.scrollIntoView())
const accessShown = (text: string) => inTurn(seen(text), inView('#api-access'))
const addressShown = (text: string | RegExp) => inTurn(seen(text), inView('#own-address'))
const bestShown = (text: string) => inTurn(seen(text), inView('#best-chain'))
const dialogShown = there((page) => page.getByRole('dialog'))
const pressIn = (name: string | RegExp) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name }).click()
const chooseOf = (token: string, item: string) =>
  inTurn(press(`More: ${token}`), (page) => page.getByRole('menuitem', { name: item }).click())

const chain = { who: 'user', path: '/chains/:letter', network: ofChain } as const
const best = { who: 'user', path: '/chains', network: ofBest } as const

/** Calling a chain as a model: tokens of a chain, Best Chain, and their dialogs. */
export const tokenStates: readonly State[] = [
  { name: 'api-access', ...chain, prepare: accessShown('Laptop') },
  {
    name: 'api-access-token',
    ...chain,
    prepare: inTurn(accessShown('Laptop'), press('Helpdesk'), seen('#2179')),
  },
  {
    name: 'api-access-codex',
    ...chain,
    prepare: inTurn(accessShown('Laptop'), (page) => page.getByRole('tab', { name: 'Codex' }).click()),
  },
  {
    name: 'api-access-deaf',
    who: 'user',
    path: '/chains/:troubled',
    network: answers('/api/tokens', []),
    prepare: accessShown('No API tokens created yet.'),
  },
  {
    name: 'api-access-loading',
    ...chain,
    network: never('/api/tokens'),
    prepare: inTurn(
      there((page) => page.getByText('Loading API tokens')),
      inView('#api-access'),
    ),
  },
  {
    name: 'api-access-error',
    ...chain,
    network: fails('/api/tokens'),
    prepare: accessShown('Failed to load API tokens'),
  },
  {
    name: 'token-menu',
    ...chain,
    prepare: accessShown('Laptop'),
    opener: button('More: Helpdesk'),
  },
  { name: 'create-token', ...chain, prepare: accessShown('Laptop'), opener: button('Create Token') },
  {
    name: 'create-token-errors',
    ...chain,
    path: '/chains/:letter?token=new',
    prepare: inTurn(
      dialogShown,
      (page) => page.getByLabel('Token Name').fill('Helpdesk'),
      pressIn(/^Limits and behaviour/),
      (page) => page.getByLabel('Requests a minute').fill('often'),
      pressIn(/^Create Token/),
      seen('Requests per minute must be a whole number'),
    ),
  },
  {
    name: 'edit-token',
    ...chain,
    path: '/chains/:letter?token=901',
    prepare: inTurn(dialogShown, pressIn(/^Limits and behaviour/)),
  },
  {
    name: 'create-token-sends',
    ...chain,
    path: '/chains/:letter?token=new',
    network: all(ofChain, answers(/\/sends$/, sends)),
    prepare: inTurn(dialogShown, seen('Where your private values may go')),
  },
  {
    name: 'api-access-token-sends',
    ...chain,
    network: all(
      ofChain,
      answers(
        '/api/tokens',
        chainTokens.map((token) => ({ ...token, asksToSend: sends })),
      ),
    ),
    prepare: inTurn(accessShown('Laptop'), press('Helpdesk'), seen(/^Runs stop at/)),
  },
  {
    name: 'rotate-token',
    ...chain,
    prepare: inTurn(accessShown('Laptop'), chooseOf('Helpdesk', 'Rotate'), dialogShown),
  },
  {
    name: 'token-value',
    ...chain,
    network: all(ofChain, answers(/^\/api\/tokens\/\d+\/rotate$/, { ...chainTokens[0], token: VALUE })),
    prepare: inTurn(
      accessShown('Laptop'),
      chooseOf('Helpdesk', 'Rotate'),
      pressIn(/^Rotate Token/),
      seen('After this it stays hidden, but the list of tokens can still copy it.'),
    ),
  },
  {
    name: 'delete-token',
    ...chain,
    prepare: inTurn(
      accessShown('Laptop'),
      chooseOf('Helpdesk', 'Delete'),
      there((page) => page.getByRole('alertdialog')),
    ),
  },
  {
    name: 'chain-history-through-tokens',
    ...chain,
    path: '/chains/:letter?history=open',
    network: answers(
      HISTORY,
      // The last one that completed would be asked for.
      tokenRuns.map((run) => ({ ...run, status: 'failed' })),
    ),
    prepare: seen(/^Called with token “Helpdesk”/),
  },
  {
    name: 'own-address',
    ...chain,
    network: ofHooks,
    prepare: addressShown(/^same delivery × 2, not run again/),
  },
  {
    name: 'own-address-delivery',
    ...chain,
    network: ofHooks,
    prepare: inTurn(
      addressShown(/^same delivery × 2, not run again/),
      press('What came with run 412'),
      seen(/input\.issue\.number/),
    ),
  },
  {
    name: 'own-address-right-to-left',
    ...chain,
    network: ofHooks,
    prepare: inTurn(
      addressShown(/set by grace/),
      (page) => page.getByRole('combobox', { name: 'Address for' }).click(),
      (page) => page.getByRole('option', { name: /^طلبات/ }).click(),
      seen('None'),
    ),
  },
  {
    name: 'own-address-none',
    ...chain,
    network: all(ofChain, answers(OWN_TOKENS, [])),
    prepare: addressShown(/starts this chain by a POST/),
  },
  {
    name: 'own-address-nothing-came',
    ...chain,
    network: all(ofHooks, answers(DELIVERIES, [])),
    prepare: addressShown('Nothing came in yet.'),
  },
  {
    name: 'own-address-error',
    ...chain,
    network: all(ofChain, fails(OWN_TOKENS)),
    prepare: addressShown('The addresses could not be loaded'),
  },
  {
    name: 'deliveries-error',
    ...chain,
    network: all(ofHooks, fails(DELIVERIES)),
    prepare: addressShown('The deliveries could not be loaded'),
  },
  {
    name: 'create-own-address',
    ...chain,
    path: '/chains/:letter?token=new&of=hook',
    network: all(ofChain, answers(OWN_TOKENS, [])),
    prepare: inTurn(
      dialogShown,
      (page) => page.getByRole('dialog').getByRole('radio', { name: 'GitHub' }).click(),
      seen('The same as there.'),
    ),
  },
  { name: 'best-chain', ...best, prepare: bestShown('Front desk') },
  {
    name: 'best-chain-empty',
    ...best,
    network: all(answers(BEST_TOKENS, []), answers(SELECTIONS, [])),
    prepare: bestShown('No Best Chain API tokens created yet.'),
  },
  {
    name: 'best-chain-error',
    ...best,
    network: fails(BEST_TOKENS),
    prepare: bestShown('Failed to load API tokens'),
  },
  {
    name: 'best-chain-unasked',
    ...best,
    network: all(answers(BEST_TOKENS, bestTokens), answers(SELECTIONS, [])),
    prepare: bestShown('Front desk'),
  },
  {
    name: 'best-chain-selection',
    ...best,
    prepare: inTurn(bestShown('Front desk'), press(/^My export stops/), seen('Should have been …'), (page) =>
      page
        .locator('[data-selection-id]')
        .first()
        .evaluate((item) => item.scrollIntoView()),
    ),
  },
  {
    name: 'best-chain-correction',
    ...best,
    prepare: inTurn(
      bestShown('Front desk'),
      press(/^My export stops/),
      press(/^Should have been/),
      seen('Contract to plain words'),
    ),
  },
  {
    name: 'best-chain-token',
    ...best,
    prepare: inTurn(bestShown('Front desk'), press('Front desk'), seen('Show its selections only')),
  },
  { name: 'create-best-token', ...best, prepare: bestShown('Front desk'), opener: button('Create Token') },
  {
    name: 'create-best-token-offers-error',
    ...best,
    path: '/chains?token=new',
    network: all(answers(BEST_TOKENS, bestTokens), answers(SELECTIONS, []), fails(OFFERS)),
    prepare: inTurn(dialogShown, seen(/^Others’ chains could not be loaded/)),
  },
  {
    name: 'create-best-token-no-offers',
    ...best,
    path: '/chains?token=new',
    network: all(answers(BEST_TOKENS, bestTokens), answers(SELECTIONS, []), answers(OFFERS, [])),
    prepare: inTurn(dialogShown, seen('Nobody shares a chain with you yet.')),
  },
  {
    name: 'edit-best-token-offers',
    ...best,
    path: '/chains?token=911',
    prepare: inTurn(dialogShown, pressIn('7 chains offered, 1 accepted'), seen('Contract check')),
  },
  {
    name: 'edit-best-token-offers-send',
    ...best,
    path: '/chains?token=911',
    network: all(
      ofBest,
      answers(
        OFFERS,
        chainOffers.map((offer) => ({ ...offer, asksToSend: sends })),
      ),
    ),
    prepare: inTurn(dialogShown, seen(/^Stops at/)),
  },
  {
    name: 'create-best-token-chains',
    ...best,
    path: '/chains?token=new',
    prepare: inTurn(
      dialogShown,
      (page) => page.getByLabel('Include all my accessible chains').uncheck(),
      there((page) => page.getByRole('dialog').getByText('Monday digest')),
      pressIn(/^Limits and behaviour/),
      (page) => page.getByRole('switch', { name: 'Ask when unsure' }).click(),
    ),
  },
  {
    name: 'create-best-token-no-chains',
    ...best,
    path: '/chains?token=new',
    network: all(ofBest, answers('/api/chains', [])),
    prepare: inTurn(
      dialogShown,
      (page) => page.getByLabel('Include all my accessible chains').uncheck(),
      seen('No chains available. Please create chains first.'),
    ),
  },
]
