import type { Page } from 'playwright-core'
import { type Size, settle } from '../states/visits.ts'
import { findOverflow, findSmallTargets } from './page-audit.ts'
import { findViolations } from './violations.ts'

const NARROWEST = { width: 320, height: 844 }

/** Obstacles on the page: violations in both themes, small targets, cut-off content. */
export async function findInTheWay({ page, size }: { page: Page; size: Size }) {
  const violations = await findViolations({ page, size })
  const targets = await findSmallTargets({ page, primary: size === 'phone' ? 44 : 24 })
  const overflow = await findOverflow(page)
  if (size === 'phone') {
    await page.setViewportSize(NARROWEST)
    await settle(page)
    overflow.push(...(await findOverflow(page)).map((each) => `at 320: ${each}`))
  }
  return { ...violations, targets, overflow }
}

/** The findings of a page without obstacles. */
export const NOTHING = { light: [], dark: [], targets: [], overflow: [] }
