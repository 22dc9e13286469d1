import { afterAll, beforeAll, describe, test } from 'vitest'
import { findInTheWay, NOTHING } from './accessibility/find-in-the-way.ts'
import { states } from './states/catalogue.ts'
import { startVisits, type Visits } from './states/visits.ts'

describe.each(['desk', 'phone'] as const)('on a %s', (size) => {
  // One stage for each size: what one runs and stops must not show up in the other's pictures.
  let visits: Visits
  beforeAll(async () => {
    visits = await startVisits()
  })
  afterAll(() => visits?.close())

  const shown = states.filter(({ only }) => only === undefined || only === size)
  test.concurrent.for(shown)(
    'axe finds nothing on any page, dialog and state, light and dark, at 1280 and 390 px. Nothing is too small to hit or beyond the edge, down to 320 px. ($name)',
    (state, { expect }) =>
      visits.visit({
        state,
        size,
        act: async (page) => expect(await findInTheWay({ page, size })).toEqual(NOTHING),
      }),
  )
})
