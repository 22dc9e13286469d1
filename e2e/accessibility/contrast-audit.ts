import type { CDPSession, Page } from 'playwright-core'
import { SURFACES } from '../states/state.ts'
import { settle } from '../states/visits.ts'
import { type Faint, findFaint } from './find-faint.ts'

/** What a state of a control asks for beside what it is at rest. */
const FORCED = {
  rest: [],
  hover: ['hover'],
  focus: ['focus', 'focus-visible', 'focus-within'],
} as const
type Forced = keyof typeof FORCED

const CONTROLS =
  'a[href], button, input, textarea, select, [role=switch], [role=tab], [role=radio], [role^=menuitem], [role=option], [role=combobox], [class*="group/"]'

/** Every control whose text, icon, border or ring is too faint, at rest, under a pointer, focused and disabled, in both themes. */
export async function findFaintControls(page: Page): Promise<string[]> {
  const selector = await controlsIn(page)
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const found: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.waitForFunction(
      (wanted) => document.documentElement.dataset.theme === wanted || wanted === 'light',
      theme,
    )
    for (const forced of ['rest', 'hover', 'focus'] as const) {
      const faint = await measure({ page, session, selector, forced })
      found.push(...faint.map((each) => `${theme}, ${forced}: ${each.what} ${each.ratio} < ${each.least}`))
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await session.detach()
  return [...new Set(found)]
}

/** Of what is open on top, else of the page; what frames it is the same in every state, and read with the library. */
async function controlsIn(page: Page): Promise<string> {
  const isOpen = (await page.locator(SURFACES).count()) > 0
  const isLibrary = new URL(page.url()).pathname === '/' && !isOpen
  if (isLibrary) return CONTROLS
  return `:is(${isOpen ? SURFACES : 'main'}) :is(${CONTROLS})`
}

/** All controls are brought to the state at the same moment. */
async function measure({
  page,
  session,
  selector,
  forced,
}: {
  page: Page
  session: CDPSession
  selector: string
  forced: Forced
}): Promise<Faint[]> {
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
  const force = (forcedPseudoClasses: string[]) =>
    // What goes meanwhile, such as a toast, needs no state.
    Promise.allSettled(
      nodeIds.map((nodeId) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })),
    )
  if (forced !== 'rest') await force([...FORCED[forced]])
  await settle(page)
  const faint = await page.evaluate(findFaint, { selector, isFocused: forced === 'focus' })
  if (forced !== 'rest') await force([])
  return faint
}
