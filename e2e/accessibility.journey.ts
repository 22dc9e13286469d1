import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findOverflow, findSmallTargets } from './accessibility/page-audit.ts'
import { findViolations } from './accessibility/violations.ts'
import { states } from './states/catalogue.ts'
import { openStage, type Stage } from './states/stage.ts'
import { type Size, settle, startVisits, type Visits } from './states/visits.ts'

const NARROWEST = { width: 320, height: 844 }

let stage: Stage
let visits: Visits
beforeAll(async () => {
  stage = await openStage()
  visits = await startVisits(stage)
})
afterAll(async () => {
  await visits?.close()
  await stage?.close()
})

describe.each(['desk', 'phone'] as const)('on a %s', { concurrent: true }, (size) => {
  const shown = states.filter(({ only }) => only === undefined || only === size)
  test.for(shown)('$name: nothing is in the way in light or dark', (state, { expect }) =>
    visits.visit({
      state,
      size,
      act: async (page) => {
        const found = { ...(await findViolations(page)), ...(await findInSize({ page, size })) }
        expect(found).toEqual({ light: [], dark: [], targets: [], overflow: [] })
      },
    }),
  )
})

async function findInSize({ page, size }: { page: Page; size: Size }) {
  const targets = await findSmallTargets({ page, primary: size === 'phone' ? 44 : 24 })
  const overflow = await findOverflow(page)
  if (size === 'phone') {
    await page.setViewportSize(NARROWEST)
    await settle(page)
    overflow.push(...(await findOverflow(page)).map((each) => `at 320: ${each}`))
  }
  return { targets, overflow }
}
