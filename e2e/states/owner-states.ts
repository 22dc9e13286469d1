import type { Page } from 'playwright-core'
import { answers, fails, never, together } from './network.ts'
import {
  foundPeople,
  longName,
  manyOffers,
  offeredChain,
  offeredPrompt,
  offeredVariable,
  offering,
} from './owner-answers.ts'
import type { State } from './state.ts'
import { button, card, cardsShown, chainShown, inTurn, press, pressInHeader, seen, there } from './steps.ts'

const OWNER = /\/owner$/
const HAND_OVERS = '/api/hand-overs'
const mine = answers(OWNER, { owner: 'grace', handOver: null })
const waits = (offer: object) => answers(OWNER, { owner: 'grace', handOver: offering(offer) })
const people = answers('/api/users/search', foundPeople)
const isOffered = (...offers: object[]) => answers(HAND_OVERS, offers)

const dialog = (name: RegExp | string) => there((page) => page.getByRole('dialog', { name }))
const found = seen(/^Nobody yet/)

/** Finds a person by keys alone. */
const choosePerson = (name: string) =>
  inTurn(
    found,
    (page) => page.getByPlaceholder('Username').fill('a'),
    there((page) => page.getByRole('option', { name: longName })),
    (page) => page.getByRole('option', { name, exact: true }).click(),
    seen(name),
  )

/** A write is refused, whatever is read. */
const refuses =
  (path: RegExp, status: number, error: string, code?: string) =>
  (page: Page): Promise<unknown> =>
    page.route(
      ({ pathname }) => path.test(pathname),
      (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status, json: { error, ...(code !== undefined && { code }) } })
          : route.fallback(),
    )

const asksToAccept = (offer: object): Pick<State, 'who' | 'path' | 'network' | 'prepare' | 'opener'> => ({
  who: 'user',
  path: '/variables',
  network: isOffered(offer),
  prepare: inTurn(
    seen('voice'),
    there((page) => page.getByRole('complementary', { name: 'Offers' })),
  ),
  opener: button('Accept'),
})

const refused = (
  offer: object,
  refusal: (page: Page) => Promise<unknown>,
  says: RegExp,
): Omit<State, 'name'> => {
  const { network, prepare, opener: _, ...state } = asksToAccept(offer)
  return {
    ...state,
    network: together(...(network ? [network] : []), refusal),
    prepare: inTurn(
      ...(prepare ? [prepare] : []),
      press('Accept'),
      dialog(/^Accept the/),
      (page) =>
        page
          .getByRole('dialog')
          .getByRole('button', { name: /^Accept/ })
          .click(),
      seen(says),
    ),
  }
}

/** Another owner: what one offers, and what one is offered. */
export const ownerStates: readonly State[] = [
  {
    name: 'hand-over-prompt',
    who: 'user',
    path: '/?hand-over=:own',
    network: mine,
    prepare: inTurn(cardsShown, found),
  },
  {
    name: 'hand-over-person',
    who: 'user',
    path: '/?hand-over=:own',
    network: together(mine, people),
    prepare: inTurn(
      found,
      (page) => page.getByPlaceholder('Username').fill('a'),
      there((page) => page.getByRole('option', { name: longName })),
    ),
  },
  {
    name: 'hand-over-chosen',
    who: 'user',
    path: '/?hand-over=:own',
    network: together(mine, people),
    prepare: choosePerson(longName),
  },
  {
    name: 'hand-over-refused',
    who: 'user',
    path: '/?hand-over=:own',
    network: together(mine, people, refuses(OWNER, 400, 'There is no account named ada')),
    prepare: inTurn(choosePerson('ada'), press(/^Offer to ada/), seen('There is no account named ada')),
  },
  {
    name: 'hand-over-chain',
    who: 'user',
    path: '/chains/:digest?hand-over=:digest',
    network: mine,
    prepare: found,
  },
  {
    name: 'hand-over-variable',
    who: 'user',
    path: '/variables?hand-over=:text',
    network: mine,
    prepare: found,
  },
  {
    name: 'hand-over-waits',
    who: 'user',
    path: '/?hand-over=:own',
    network: waits({ to: longName }),
    prepare: inTurn(cardsShown, seen(/waits for an answer until/)),
  },
  {
    name: 'hand-over-not-owner',
    who: 'user',
    path: '/?hand-over=:own',
    network: answers(OWNER, { owner: 'ada', handOver: null }),
    prepare: seen(/^Only its owner/),
  },
  {
    name: 'hand-over-loading',
    who: 'user',
    path: '/?hand-over=:own',
    network: never(OWNER),
    prepare: seen('Loading its owner'),
  },
  {
    name: 'hand-over-error',
    who: 'user',
    path: '/?hand-over=:own',
    network: fails(OWNER),
    prepare: seen('Try again'),
  },
  {
    name: 'share-prompt-offered',
    who: 'user',
    path: '/',
    network: waits({ to: longName }),
    prepare: inTurn(
      (page) => card('Name a boat')(page).getByRole('button', { name: /^More/ }).click(),
      (page) => page.getByRole('menuitem', { name: 'Share' }).click(),
      seen(/waits for an answer until/),
    ),
  },
  {
    name: 'edit-chain-offered',
    who: 'user',
    path: '/chains/:digest',
    network: waits({ kind: 'chain' }),
    prepare: inTurn(chainShown, pressInHeader('Edit chain'), seen(/waits for an answer until/)),
  },
  {
    name: 'edit-variable-offered',
    who: 'user',
    path: '/variables?variable=:text',
    network: waits({ kind: 'variable', keep: 'nothing' }),
    prepare: seen(/waits for an answer until/),
  },
  {
    name: 'offer-bar',
    who: 'user',
    path: '/',
    network: isOffered({ ...offeredPrompt, title: manyOffers[1]?.title, owner: longName }),
    prepare: inTurn(cardsShown, seen('Decline')),
  },
  {
    name: 'offer-bar-several',
    who: 'user',
    path: '/chains',
    network: isOffered(...manyOffers),
    prepare: inTurn(seen('Monday digest'), seen('See offers')),
  },
  { name: 'accept-prompt', ...asksToAccept(offeredPrompt) },
  { name: 'accept-chain', ...asksToAccept({ ...offeredChain, owner: longName }) },
  { name: 'accept-variable', ...asksToAccept(offeredVariable) },
  {
    name: 'accept-name-taken',
    ...refused(
      offeredVariable,
      refuses(
        /\/accept$/,
        409,
        'You already have a variable named brand_voice. Rename yours first, then accept.',
        'name_taken',
      ),
      /^You already have/,
    ),
  },
  {
    name: 'accept-over',
    ...refused(offeredPrompt, refuses(/\/accept$/, 404, 'It is not offered to you'), /^This offer is over/),
  },
  {
    name: 'ownership',
    who: 'user',
    path: '/settings/ownership',
    network: isOffered(...manyOffers),
    prepare: seen('Damaged parcel'),
  },
  {
    name: 'ownership-empty',
    who: 'user',
    path: '/settings/ownership',
    network: isOffered(),
    prepare: seen(/^Nothing waits for your answer/),
  },
  {
    name: 'ownership-loading',
    who: 'user',
    path: '/settings/ownership',
    network: never(HAND_OVERS),
    prepare: seen('Loading offers'),
  },
  {
    name: 'ownership-error',
    who: 'user',
    path: '/settings/ownership',
    network: fails(HAND_OVERS),
    prepare: seen('Try again'),
  },
  {
    name: 'palette-hand-over',
    who: 'user',
    path: '/',
    only: 'desk',
    prepare: inTurn(
      press('Command palette'),
      (page) => page.getByRole('combobox').fill('hand over notes'),
      seen(/^Hand over: /),
    ),
  },
]
