const LONG_NAME = 'a-name-that-is-as-long-as-names-of-people-ever-get'
const LONG_TITLE =
  'Turn a long and winding meeting transcript with many speakers, side remarks and unfinished sentences into decisions, tasks and open questions'

const DATES = { offeredAt: '2026-11-29T09:00:00.000Z', endsAt: '2026-12-29T09:00:00.000Z' }

/** What grace is offered. */
const offered = {
  ...DATES,
  ...{ kind: 'prompt', id: 901, title: 'Refund reply', owner: 'ada', to: 'grace', keep: 'editor' },
  ...{ canAccept: true, canTakeBack: false, canView: true },
}
export const offeredPrompt = offered
export const offeredChain = { ...offered, kind: 'chain', id: 902, title: 'Damaged parcel', canView: false }
export const offeredVariable = {
  ...offered,
  ...{ kind: 'variable', id: 903, title: 'brand_voice', keep: 'nothing', canView: false },
}

/** What grace offers. */
export const offering = (offer: object) => ({
  ...offered,
  ...{ owner: 'grace', to: 'ada', canAccept: false, canTakeBack: true },
  ...offer,
})

/** Lists of both, with names as long as they get. */
export const manyOffers = [
  offeredChain,
  { ...offeredPrompt, id: 904, title: LONG_TITLE, owner: LONG_NAME },
  { ...offeredVariable, id: 905, title: 'מכתב_ללקוח' },
  offering({ id: 906, to: LONG_NAME, title: LONG_TITLE }),
  offering({ kind: 'variable', id: 907, title: `terms_${'of_service_'.repeat(5)}`, keep: 'nothing' }),
]

export const foundPeople = [
  { id: 7, username: 'ada' },
  { id: 8, username: LONG_NAME },
]
export const longName = LONG_NAME
