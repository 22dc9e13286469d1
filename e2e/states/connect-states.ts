import type { Page } from 'playwright-core'
import { allDetails, fetches, laptopSees, ownTokens, seesNothing } from './connect-answers.ts'
import { answers, fails, never, together } from './network.ts'
import type { State } from './state.ts'
import { button, choose, inTurn, press, type Step, seen, there } from './steps.ts'
import { aliases, promptRuns, readPrompt, readTokens, tokenRuns } from './token-answers.ts'

const OWN = '/api/own-tokens'
const FETCHES = '/api/fetches'
const SEES = /^\/api\/mcp-tokens\/\d+\/sees$/
const VALUE = 'ctm_8dWnK3zTq7mYb2LxR8vNc5JdHs1GpKe6AuZo4F0iQy9Xw2'

const network = together(
  answers(OWN, ownTokens),
  ...allDetails.map((token) => answers(`/api/own-tokens/${token.id}`, token)),
  answers('/api/read-tokens', readTokens),
  answers(SEES, seesNothing),
  answers('/api/mcp-tokens/941/sees', laptopSees),
  answers(FETCHES, fetches),
  answers(/^\/api\/tokens\/\d+\/executions$/, []),
  answers('/api/tokens/901/executions', tokenRuns),
  answers('/api/tokens/932/executions', promptRuns),
  answers(/^\/api\/prompts\/\d+\/aliases$/, aliases),
  answers(/^\/api\/prompts\/2[123]$/, readPrompt),
)

const laptop = {
  ...allDetails.find(({ id }) => id === 941),
  ...{ allPrompts: true, prompts: [], allChains: false, chains: [], token: VALUE },
}
const connect = { who: 'user', path: '/connect', network } as const
const listShown = there((page) => page.getByRole('list', { name: 'Tokens' }))
const dialogShown = there((page) => page.getByRole('dialog').getByLabel('Token Name'))
const fetchedShown = seen('v12')
const creates = (created: object) => (page: Page) =>
  page.route(
    ({ pathname }) => pathname === OWN,
    (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 201, json: created }) : route.fallback(),
  )
const pressIn = (name: string | RegExp) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name }).click()
const chooseOf = (token: string, item: string) =>
  inTurn(press(`More: ${token}`), (page) => page.getByRole('menuitem', { name: item }).click())
const toEnd: Step = (page) =>
  page.getByRole('region', { name: /^Usage of/ }).evaluate((section) => section.scrollIntoView())

/** How programs connect: tokens of every kind, a client's lines, what it sees, who came last. */
export const connectStates: readonly State[] = [
  {
    name: 'connect',
    ...connect,
    path: '/connect?show=941',
    prepare: inTurn(seen('11 prompts'), fetchedShown),
  },
  { name: 'connect-list', ...connect, prepare: listShown },
  {
    name: 'connect-codex',
    ...connect,
    path: '/connect?show=942&client=codex',
    prepare: inTurn(seen('0 skills'), fetchedShown),
  },
  {
    name: 'connect-vscode',
    ...connect,
    path: '/connect?show=941&client=vs-code',
    prepare: inTurn(seen('11 prompts'), fetchedShown),
  },
  {
    name: 'connect-more',
    ...connect,
    path: '/connect?show=941',
    prepare: inTurn(press('Show 3 more'), fetchedShown, choose('Laptop')),
  },
  {
    name: 'connect-chain',
    ...connect,
    path: '/connect?show=901',
    prepare: inTurn(seen(/^chain-1$/), fetchedShown),
  },
  {
    name: 'connect-chain-runs',
    ...connect,
    path: '/connect?show=901',
    prepare: inTurn(press(/^Usage and limits/), seen('#2179'), toEnd),
  },
  {
    name: 'connect-open-webui',
    ...connect,
    path: '/connect?show=902&client=open-webui',
    prepare: inTurn(press(/^Usage and limits/), seen('No runs yet.'), fetchedShown),
  },
  {
    name: 'connect-best',
    ...connect,
    path: '/connect?show=912&client=anthropic-sdk',
    prepare: inTurn(seen('2 chains'), fetchedShown),
  },
  {
    name: 'connect-read',
    ...connect,
    path: '/connect?show=931',
    prepare: inTurn(press(/^Names used in code/), seen(/^pmpt_/), seen('1 prompt'), fetchedShown),
  },
  {
    name: 'connect-read-runs',
    ...connect,
    path: '/connect?show=932&client=openai-sdk',
    prepare: inTurn(press(/^Usage and limits/), seen('#2261'), fetchedShown),
  },
  {
    name: 'connect-scoped',
    ...connect,
    path: '/connect?show=951',
    prepare: inTurn(seen(/^prompts chain:1200/), fetchedShown),
  },
  {
    name: 'connect-waiting',
    ...connect,
    path: '/connect?show=904',
    prepare: inTurn(seen(/^Waiting for the first call/), fetchedShown),
  },
  {
    name: 'connect-new-chain',
    ...connect,
    prepare: inTurn(
      listShown,
      (page) => page.getByRole('region', { name: 'New connection' }).getByRole('combobox').click(),
      (page) => page.getByRole('option', { name: 'Open WebUI' }).click(),
      seen(/calls one of your chains as a model/),
    ),
  },
  {
    name: 'connect-expired',
    ...connect,
    path: '/connect?show=943',
    prepare: inTurn(seen(/^This token expired on/), seen('0 prompts'), fetchedShown),
  },
  {
    name: 'connect-emptied',
    ...connect,
    path: '/connect?show=944&client=cursor',
    prepare: inTurn(seen('Programs can’t use this token: reaches nothing.'), fetchedShown),
  },
  {
    name: 'connect-revoked',
    ...connect,
    path: '/connect?show=999',
    prepare: inTurn(seen(/^This token doesn’t exist or isn’t yours/), fetchedShown),
  },
  {
    name: 'connect-prompt',
    ...connect,
    path: '/connect?prompt=:own',
    network: together(network, answers('/api/read-tokens', [])),
    prepare: seen(/^None of your tokens reaches/),
  },
  {
    name: 'connect-none-of-kind',
    ...connect,
    path: '/connect?kind=mcp',
    network: together(
      network,
      answers(
        OWN,
        ownTokens.filter(({ tokenType }) => tokenType === 'read'),
      ),
    ),
    prepare: seen('No token of this kind.'),
  },
  {
    name: 'connect-empty',
    ...connect,
    network: together(network, answers(OWN, [])),
    prepare: seen('Connect a program to your prompts and chains'),
  },
  {
    name: 'connect-loading',
    ...connect,
    network: never(OWN),
    prepare: there((page) => page.getByText('Loading your tokens')),
  },
  {
    name: 'connect-error',
    ...connect,
    network: fails(OWN),
    prepare: seen('Your tokens could not be loaded'),
  },
  {
    name: 'connect-parts-failed',
    ...connect,
    path: '/connect?show=941',
    network: together(network, fails(FETCHES), fails('/api/mcp-tokens/941/sees')),
    prepare: inTurn(seen(/^This could not be loaded/), fetchedFailed()),
  },
  {
    name: 'connect-unfetched',
    ...connect,
    path: '/connect?show=941',
    network: together(network, answers(FETCHES, [])),
    prepare: inTurn(seen('11 prompts'), seen(/^Nobody has fetched anything/)),
  },
  { name: 'connect-token-menu', ...connect, prepare: listShown, opener: button('More: Laptop') },
  {
    name: 'connect-one-kind',
    ...connect,
    prepare: inTurn(
      listShown,
      (page) => page.getByRole('combobox', { name: 'Kind' }).click(),
      (page) => page.getByRole('option', { name: 'Read', exact: true }).click(),
      listShown,
    ),
  },
  { name: 'create-mcp-token', ...connect, path: '/connect?token=new&of=mcp', prepare: dialogShown },
  {
    name: 'create-mcp-token-some',
    ...connect,
    path: '/connect?token=new&of=mcp',
    prepare: inTurn(
      dialogShown,
      (page) => page.getByLabel(/^All my prompts/).uncheck(),
      seen('Please select at least one prompt or chain.'),
      pressIn(/^Limits/),
    ),
  },
  { name: 'edit-mcp-token', ...connect, path: '/connect?token=942', prepare: dialogShown },
  {
    name: 'create-chain-token-anywhere',
    ...connect,
    path: '/connect?token=new&of=chain',
    prepare: dialogShown,
  },
  {
    name: 'create-folder-token',
    ...connect,
    path: '/connect?token=new&of=folder',
    prepare: dialogShown,
  },
  {
    name: 'create-token-choices',
    ...connect,
    path: '/connect?token=new',
    prepare: inTurn(dialogShown, (page) => page.getByRole('combobox', { name: 'What may it do?' }).click()),
  },
  {
    name: 'create-scoped-token',
    ...connect,
    path: '/connect?token=new&of=scoped',
    prepare: dialogShown,
  },
  { name: 'edit-scoped-token', ...connect, path: '/connect?token=951', prepare: dialogShown },
  {
    name: 'edit-token-error',
    ...connect,
    path: '/connect?token=941',
    network: together(network, fails('/api/own-tokens/941')),
    prepare: seen('The token could not be loaded'),
  },
  { name: 'create-read-token', ...connect, path: '/connect?token=new&of=read', prepare: dialogShown },
  {
    name: 'create-read-token-search',
    ...connect,
    path: '/connect?token=new&of=read',
    prepare: inTurn(dialogShown, (page) => page.getByLabel('Search prompts').fill('nobody wrote this')),
  },
  { name: 'edit-read-token', ...connect, path: '/connect?token=931', prepare: dialogShown },
  {
    name: 'connect-created',
    ...connect,
    network: together(
      network,
      answers(OWN, [{ ...ownTokens.find(({ id }) => id === 944), id: 999, name: 'Claude Code' }]),
      creates({ ...laptop, id: 999, name: 'Claude Code' }),
    ),
    prepare: inTurn(
      (page) =>
        page.getByRole('region', { name: 'New connection' }).getByRole('button', { name: 'Create' }).click(),
      seen('Waiting for the first call from Claude Code'),
    ),
  },
  {
    name: 'mcp-token-value',
    ...connect,
    network: together(network, answers('/api/tokens/941/rotate', laptop)),
    prepare: inTurn(
      listShown,
      chooseOf('Laptop', 'Rotate'),
      pressIn(/^Rotate Token/),
      seen('After this it stays hidden, but the list of tokens can still copy it.'),
    ),
  },
]

/** Both parts of the details say so. */
function fetchedFailed(): Step {
  return (page) => page.getByRole('region', { name: 'Fetched last' }).getByRole('alert').waitFor()
}
