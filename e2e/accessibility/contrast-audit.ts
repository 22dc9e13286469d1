import type { CDPSession, Page } from 'playwright-core'
import { settle } from '../states/visits.ts'
import { markDistinct, UNMEASURED } from './distinct-looks.ts'
import { type Faint, findFaint } from './find-faint.ts'
import { showTheme } from './themes.ts'

/** What a control's state requires beyond what it requires at rest. */
const FORCED = {
  rest: [],
  hover: ['hover'],
  focus: ['focus', 'focus-visible', 'focus-within'],
} as const
type Forced = keyof typeof FORCED

const CONTROLS =
  'a[href], button, input, textarea, select, [contenteditable=true], [role=switch], [role=tab], [role=radio], [role^=menuitem], [role=option], [role=combobox], [class*="group/"]'
const TO_MEASURE = `[${UNMEASURED}]`
/** The element that contains the focus knows it too. */
const AROUND = `:has(${TO_MEASURE})`

/**
 * Every control whose text, icon, border or ring is too faint, at rest, under a pointer, focused and disabled, in
 * both themes; controls that look like one on an earlier page are skipped.
 */
export function startContrastAudit(): (page: Page) => Promise<string[]> {
  const known = new Set<number>()
  return async (page) => {
    const looks = await page.evaluate(markDistinct, {
      selector: CONTROLS,
      known: [...known],
      mark: UNMEASURED,
    })
    for (const look of looks) known.add(look)
    return looks.length === 0 ? [] : await findFaintControls(page)
  }
}

async function findFaintControls(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const found: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(page, theme)
    for (const forced of ['rest', 'hover', 'focus'] as const) {
      const faint = await measure({ page, session, forced })
      found.push(...faint.map((each) => `${theme}, ${forced}: ${each.what} ${each.ratio} < ${each.least}`))
    }
  }
  await showTheme(page, 'light')
  await session.detach()
  return [...new Set(found)]
}

/** All controls are brought to the state at the same moment. */
async function measure({
  page,
  session,
  forced,
}: {
  page: Page
  session: CDPSession
  forced: Forced
}): Promise<Faint[]> {
  const { root } = await session.send('DOM.getDocument')
  const force = async (selector: string, forcedPseudoClasses: string[]) => {
    const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
    // What disappears meanwhile, such as a toast, needs no state.
    await Promise.allSettled(
      nodeIds.map((nodeId) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })),
    )
  }
  if (forced !== 'rest') await force(TO_MEASURE, [...FORCED[forced]])
  if (forced === 'focus') await force(AROUND, ['focus-within'])
  await settle(page)
  const faint = await page.evaluate(findFaint, { selector: TO_MEASURE, isFocused: forced === 'focus' })
  if (forced !== 'rest') await force(TO_MEASURE, [])
  if (forced === 'focus') await force(AROUND, [])
  return faint
}
