import { afterAll, beforeAll, describe, test } from 'vitest'
import { startContrastAudit } from './accessibility/contrast-audit.ts'
import { findLostInForcedColors } from './accessibility/forced-colors-audit.ts'
import { findMoving } from './accessibility/motion-audit.ts'
import { findUnnamed } from './accessibility/name-audit.ts'
import { findLostByZoom } from './accessibility/zoom-audit.ts'
import { states } from './states/catalogue.ts'
import { startVisits, type Visits } from './states/visits.ts'

const findFaintControls = startContrastAudit()
let visits: Visits
beforeAll(async () => {
  visits = await startVisits()
})
afterAll(() => visits?.close())

/** One visit a state for all of it, as showing a state takes longer than measuring it. */
describe.concurrent('measured', () => {
  test.for(states)(
    'Text, icons, edges and focus marks have enough contrast in each state, light and dark. Every control has a focus mark and a name of its own. In forced colours edges and choices are still seen. At twice the size nothing is out of reach. With reduced motion nothing moves. ($name)',
    (state, { expect }) =>
      visits.visit({
        state,
        size: state.only ?? 'desk',
        act: async (page) => {
          const moving = await findMoving(page)
          const unnamed = await findUnnamed(page)
          const faint = await findFaintControls(page)
          const unseen = await findLostInForcedColors(page)
          const lost = await findLostByZoom(page)
          expect({ moving, unnamed, faint, unseen, lost }).toEqual({
            moving: [],
            unnamed: [],
            faint: [],
            unseen: [],
            lost: [],
          })
        },
      }),
  )
})
