import type { Page } from 'playwright-core'
import type { State } from './state.ts'
import { choose, fill, inTurn, press, type Step, seen } from './steps.ts'

const write =
  (label: string, text: string): Step =>
  (page: Page) =>
    page.getByRole('textbox', { name: label, exact: true }).fill(text)

const fallback =
  (label: string, choice: string): Step =>
  async (page) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: choice, exact: true }).click()
  }

/** All settings of a form that is open. */
const filled = inTurn(
  choose('High'),
  fill('Temperature', '0.2'),
  press('Add stop text'),
  fill('Stop text 1', 'END'),
  fallback('Fallback model', 'Gemini'),
  press('Add fallback model'),
)

const ofPrompt = inTurn(
  press(/^Model and output/),
  fallback('Model', 'Claude'),
  filled,
  fill('Max tokens', '1200'),
)

/** How a prompt and a step are run: model, what is asked of it, and the turns before the content. */
export const settingsStates: readonly State[] = [
  { name: 'settings-page', who: 'user', path: '/edit/new', prepare: ofPrompt },
  { name: 'settings-dialog', who: 'user', path: '/?prompt=new', prepare: ofPrompt },
  {
    name: 'settings-line',
    who: 'user',
    path: '/edit/new',
    prepare: inTurn(ofPrompt, press(/^Model and output/)),
  },
  {
    name: 'settings-errors',
    who: 'user',
    path: '/edit/new',
    prepare: inTurn(ofPrompt, fill('Temperature', '3'), press('Add turn'), press('Create Prompt')),
  },
  {
    name: 'settings-turns',
    who: 'user',
    path: '/edit/new',
    prepare: inTurn(
      press(/^Model and output/),
      press('Add system text'),
      write('System', 'You sort tickets of Halden Marine.'),
      press('Add turn'),
      write('Turn 1', 'The form answers 500 since Friday.'),
      press('Add turn'),
      write('Turn 2', 'severity: high'),
    ),
  },
  {
    name: 'settings-attachments',
    who: 'user',
    path: '/edit/:pictured',
    prepare: inTurn(press(/^Model and output/), seen('login-500.webp')),
  },
  {
    name: 'settings-step',
    who: 'user',
    path: '/chains/:digest',
    prepare: inTurn(press(/^Add Step/), press('Add turn'), press('Advanced'), filled),
  },
]
