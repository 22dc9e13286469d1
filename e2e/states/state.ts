import type { Locator, Page } from 'playwright-core'

/** The viewer of a screen: a guest, an ordinary person, the admin. */
type Who = 'guest' | 'user' | 'admin'

/** What floats above a page and takes the focus, once it is there. */
export const SURFACES = '[role=dialog]:not([aria-busy=true]), [role=alertdialog], [role=menu], [role=listbox]'

/** One screen in one state. Each is listed once, for the checks and for the pictures. */
export interface State {
  /** What its pictures and tests are called. */
  name: string
  /** Its viewer. */
  who: Who
  /** A path of the app; `:own` and the like become the stage's ids of that name. */
  path: string
  /** What the network does to it, before the page loads. */
  network?: (page: Page) => Promise<unknown>
  /** Brings the loaded page to the state. */
  prepare?: (page: Page) => Promise<unknown>
  /** What opens the dialog, menu or list that the state shows; pressed last. */
  opener?: (page: Page) => Locator
  /** Exists in one size only. */
  only?: 'desk' | 'phone'
}
